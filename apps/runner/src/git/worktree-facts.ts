import { dirname } from 'node:path'
import { mkdirSync } from 'node:fs'
import { z } from 'zod'
import { readUntrusted } from '@svc/process/untrusted-file'
import { writeDurably } from '../files/durable-file.ts'
import { gitPath } from './git.ts'

const mostBytes = 64 * 1024

/** What a runner knows of a worktree that it made, for whoever clears up long after the run. */
const WorktreeFacts = z.object({
  /** Display id of the mission. */
  mission: z.string(),
  /** The commit at which its branch was cut. */
  startSha: z.string(),
  /** The branch that this one is to be merged into. */
  baseBranch: z.string(),
})
export type WorktreeFacts = z.infer<typeof WorktreeFacts>

export function writeWorktreeFacts(worktree: string, facts: WorktreeFacts): void {
  const path = factsPath(worktree)
  if (path === undefined) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeDurably(path, JSON.stringify(facts))
}

/** Undefined for one that no runner made. */
export function readWorktreeFacts(worktree: string): WorktreeFacts | undefined {
  const path = factsPath(worktree)
  if (path === undefined) return undefined
  try {
    const parsed = WorktreeFacts.safeParse(JSON.parse(readUntrusted(path, mostBytes) ?? '{}'))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** In Git's own folder of the worktree: it goes when the worktree goes. */
function factsPath(worktree: string): string | undefined {
  return gitPath(worktree, 'svc/worktree.json')
}
