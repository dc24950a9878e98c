import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sleep } from '@svc/client/retry'
import { isAlive, readProcess } from '@svc/process/process-identity'
import { type LockContent, freeLock, readLock, takeLock } from '../files/lock-file.ts'
import { type GitOptions, gitFolderOf } from './git.ts'

const pollMs = 50

const Owner = z.object({ pid: z.int(), startedAt: z.string() })

/**
 * Runs the work while no other process of any runner decides about the worktrees of this repository, or fetches its
 * base. Short work only: whoever comes next waits.
 */
export async function withRepository<T>(
  checkout: string,
  purpose: 'worktrees' | 'fetch',
  work: () => Promise<T>,
  { signal }: GitOptions = {},
): Promise<T> {
  const path = join(await commonFolder(checkout), `${purpose}.lock`)
  const mine = readProcess(process.pid) ?? { pid: process.pid, startedAt: '' }
  const turn = lastTurns.get(path) ?? Promise.resolve()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  lastTurns.set(path, over)
  try {
    await turn
    while (isTaken(path) || !takeLock(path, { ...mine }, isStale).taken) await sleep(pollMs, signal)
    try {
      return await work()
    } finally {
      freeLock(path, isMine)
    }
  } finally {
    end()
  }

  function isMine(content: LockContent): boolean {
    return content['pid'] === mine.pid && content['startedAt'] === mine.startedAt
  }
}

/** Turns within this process, which one lock file cannot tell apart. */
const lastTurns = new Map<string, Promise<void>>()

/** The folder of ours in Git's own, which all worktrees of the repository share. */
export async function commonFolder(checkout: string): Promise<string> {
  const folder = join(await gitFolderOf(checkout), 'svc')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function isTaken(path: string): boolean {
  const holder = readLock(path)
  return holder !== undefined && !isStale(holder)
}

function isStale(content: LockContent): boolean {
  const owner = Owner.safeParse(content)
  return !owner.success || !isAlive(owner.data)
}
