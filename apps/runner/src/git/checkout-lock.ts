import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isAlive } from '@svc/process/process-identity'
import { UnusableFile } from '../files/durable-file.ts'
import { gitPath } from './git.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { type LockContent, freeLock, readLock, rewriteLock, takeLock } from '../files/lock-file.ts'

const Identity = z.object({ pid: z.int(), startedAt: z.string() })

/** Who works in a checkout. Its run folder is where its supervisor is told to stop. */
export const CheckoutHolder = z.object({
  requestId: z.string(),
  generation: z.int(),
  missionId: z.string(),
  objectiveId: z.string(),
  branch: z.string(),
  runFolder: z.string(),
  supervisor: Identity,
  agent: Identity.optional(),
})
export type CheckoutHolder = z.infer<typeof CheckoutHolder>

/** Undefined when the lock was taken; else who has it. One whose processes are all gone has it no longer. */
export function takeCheckoutLock(
  checkout: string,
  mine: CheckoutHolder,
): CheckoutHolder | undefined {
  const isStale = (content: LockContent) => {
    const holder = read(content)
    return holder === undefined || !isHeld(holder) || isSameRun(holder, mine)
  }
  const older = readHolder(olderLockPath(checkout))
  if (older !== undefined && isHeld(older) && !isSameRun(older, mine)) return older
  try {
    const taking = takeLock(lockPath(checkout), mine, isStale)
    return taking.taken ? undefined : read(taking.holder)
  } catch (cause) {
    if (!(cause instanceof UnusableFile)) throw cause
    throw new LaunchFailure('bad_working_directory', cause.message, 'prepare', { cause })
  }
}

/** Who works in the checkout now. */
export function findCheckoutHolder(checkout: string): CheckoutHolder | undefined {
  return [lockPath(checkout), olderLockPath(checkout)]
    .map(readHolder)
    .find((holder) => holder !== undefined && isHeld(holder))
}

/** The agent keeps the lock alive after its supervisor is lost. */
export function addAgentToLock(checkout: string, mine: CheckoutHolder): void {
  const path = lockPath(checkout)
  const holder = readHolder(path)
  if (holder && isSameRun(holder, mine)) rewriteLock(path, mine)
}

export function freeCheckoutLock(
  checkout: string,
  mine: Pick<CheckoutHolder, 'requestId' | 'generation'>,
): void {
  freeLock(lockPath(checkout), (content) => {
    const holder = read(content)
    return holder !== undefined && isSameRun(holder, mine)
  })
}

/** Git's own folder of this checkout or worktree, which no cleaning of the working tree reaches. */
function lockPath(checkout: string): string {
  const path = gitPath(checkout, 'svc/checkout.lock') ?? olderLockPath(checkout)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return path
}

/** A run that an older version started goes on through the update, and its lock lies in the working tree. */
function olderLockPath(checkout: string): string {
  return join(checkout, '.svc', 'checkout.lock')
}

function isHeld({ supervisor, agent }: CheckoutHolder): boolean {
  return isAlive(supervisor) || (agent !== undefined && isAlive(agent))
}

function isSameRun(
  one: Pick<CheckoutHolder, 'requestId' | 'generation'>,
  other: Pick<CheckoutHolder, 'requestId' | 'generation'>,
): boolean {
  return one.requestId === other.requestId && one.generation === other.generation
}

function readHolder(path: string): CheckoutHolder | undefined {
  const content = readLock(path)
  return content && read(content)
}

function read(content: LockContent): CheckoutHolder | undefined {
  const parsed = CheckoutHolder.safeParse(content)
  return parsed.success ? parsed.data : undefined
}
