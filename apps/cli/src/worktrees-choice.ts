import type { Option } from 'commander'
import { oneOf } from './choices.ts'

const choices = { on: true, off: false, project: null } as const

/** Whether the runs of a mission work in worktrees. */
export type WorktreesChoice = keyof typeof choices

export const worktreesOption = (): Option =>
  oneOf(
    '--worktrees <choice>',
    'whether its runs work in worktrees of their own, or in the linked checkout: as its project says, or on or off for it alone',
    Object.keys(choices),
  )

export const worktreesOf = (choice: WorktreesChoice): boolean | null => choices[choice]

export function nameWorktrees(useWorktrees: boolean | null): string {
  if (useWorktrees === null) return 'as the project'
  return useWorktrees ? 'on' : 'off'
}
