import { sleep } from '@svc/client/retry'
import { GitError } from '@svc/runner/git/git'
import type { OwnGroup } from '@svc/runner/git/own-group'

const pollMs = 50
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Signals that come while a checkout is changed: they end nothing by themselves. */
export interface Interruption {
  /** In words, once one has come. */
  why: () => string | undefined
  first: Promise<string>
  /** A person does not want to wait. */
  second: Promise<unknown>
}

/** Whoever does the work goes back where it was interrupted, before this process ends. */
export async function heedingSignals<T>(work: (found: Interruption) => Promise<T>): Promise<T> {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<void>()
  let why: string | undefined
  const heed = (signal: string) => {
    if (why !== undefined) return second.resolve()
    why = `it was interrupted by ${signal}`
    first.resolve(why)
  }
  for (const signal of signals) process.on(signal, heed)
  try {
    return await work({ why: () => why, first: first.promise, second: second.promise })
  } finally {
    for (const signal of signals) process.off(signal, heed)
  }
}

interface Patience {
  /** Git has written out what it writes: what it does from then on can be ended, and taken back. */
  isAtRest: () => Promise<boolean>
  mostMs: number
}

/**
 * Until Git has ended. A signal, or the time, ends it once it is at rest: nobody could know of one that is ended before
 * which files it had come to. A second signal waits for nothing.
 */
export async function untilEnded(
  group: OwnGroup,
  { first, second }: Interruption,
  { isAtRest, mostMs }: Patience,
): Promise<void> {
  const over = group.ended.then(
    () => undefined,
    () => undefined,
  )
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve('it took too long'), mostMs)
  const why = await Promise.race([over, first, late])
  clearTimeout(timer)
  if (why === undefined) return await group.ended
  let isHasty = false
  void Promise.race([over, second]).then(() => (isHasty = true))
  while (!isHasty && !(await isAtRest())) await sleep(pollMs)
  group.end()
  await over
  throw new GitError([], why)
}
