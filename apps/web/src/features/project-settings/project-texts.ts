import type { Project } from '@svc/contracts/project'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Problems } from './launch-request.ts'

/** What of a project is edited, each as one text: the draft of that part of the form. */
export type ProjectPart = 'name' | 'defaultBranch' | 'useWorktrees' | 'maxRuntimeMinutes'

/** What people call each of them; a new one without its name does not compile. */
export const partNames: Readonly<Record<ProjectPart, string>> = {
  name: 'Name',
  defaultBranch: 'Default branch',
  useWorktrees: 'Where its runs work',
  maxRuntimeMinutes: 'Minutes that a run may take',
}

export type ProjectTexts = Readonly<Record<ProjectPart, string>>

export function projectTexts(project: Project): ProjectTexts {
  const { name, defaultBranch, useWorktrees, maxRuntimeMinutes } = project
  return {
    name,
    defaultBranch,
    useWorktrees: useWorktrees ? 'worktrees' : 'checkout',
    maxRuntimeMinutes: maxRuntimeMinutes === null ? '' : String(maxRuntimeMinutes),
  }
}

export function describePart(part: ProjectPart, text: string): string {
  if (part === 'useWorktrees') return worktreeWords[text === 'checkout' ? 'checkout' : 'worktrees']
  if (part === 'maxRuntimeMinutes') return text === '' ? 'as long as it takes' : text
  return text
}

export const worktreeWords = {
  worktrees: 'Each in a working tree of its own',
  checkout: 'In the checkout itself',
} as const

type Changes = Omit<RouteRequest<'updateProject'>, 'id' | 'expectedRevision'>

/** What is sent of these parts; or what only the form can say is wrong: the service would not see it. */
export function projectChanges(
  { name, defaultBranch, useWorktrees, maxRuntimeMinutes }: ProjectTexts,
  changed: readonly ProjectPart[],
): { changes: Changes; problems: Problems } {
  const minutes = maxRuntimeMinutes.trim()
  const all: Readonly<Record<ProjectPart, Changes>> = {
    name: { name: name.trim() },
    defaultBranch: { defaultBranch: defaultBranch.trim() },
    useWorktrees: { useWorktrees: useWorktrees === 'worktrees' },
    // what is no number would be sent as none at all
    maxRuntimeMinutes: { maxRuntimeMinutes: minutes === '' ? null : Number(minutes) },
  }
  const isNumber = /^\d*$/.test(minutes)
  const problem = ['maxRuntimeMinutes', 'give a whole number of minutes'] as const
  return {
    changes: Object.assign({}, ...changed.map((part) => all[part])) as Changes,
    problems: new Map(isNumber || !changed.includes('maxRuntimeMinutes') ? [] : [problem]),
  }
}
