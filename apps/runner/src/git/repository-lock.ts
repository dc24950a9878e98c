import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { awaitProcessLock, freeProcessLock } from '@svc/process/process-lock'
import { type GitOptions, gitFolderOf } from './git.ts'

/**
 * Runs the work while no other process of any runner decides about the worktrees of this repository, or fetches its
 * base. Short work only: whoever comes next waits.
 */
export async function withRepository<T>(
  checkout: string,
  purpose: 'worktrees' | 'fetch',
  work: () => Promise<T>,
  { signal, whileWaiting = (wait) => wait() }: GitOptions = {},
): Promise<T> {
  const path = join(await commonFolder(checkout), `${purpose}.lock`)
  const turn = lastTurns.get(path) ?? Promise.resolve()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  lastTurns.set(path, over)
  try {
    await whileWaiting(async () => {
      await turn
      await awaitProcessLock(path, signal)
    })
    try {
      return await work()
    } finally {
      freeProcessLock(path)
    }
  } finally {
    end()
  }
}

/** The order of waiting within this process, which one lock file cannot keep apart. */
const lastTurns = new Map<string, Promise<void>>()

/** The folder of ours in Git's own, which all worktrees of the repository share. */
export async function commonFolder(checkout: string): Promise<string> {
  const folder = join(await gitFolderOf(checkout), 'svc')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
