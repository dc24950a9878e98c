import { type RetryOptions, sleep, waitMs } from '@svc/client/retry'
import { type ServiceError, isPassingCode, isServiceError } from '@svc/contracts/errors'

const attemptMs = 60_000

export interface Persistence {
  /** Ends the attempts; its reason is thrown. */
  signal: AbortSignal
  pace: RetryOptions
}

/** Full jitter up to 60 s; where heartbeats are faster, as in tests, all is faster in proportion. */
export function paceFor(heartbeatSeconds: number): RetryOptions {
  const scale = Math.min(1, heartbeatSeconds / 15)
  return { attempts: 3, firstMs: 1_000 * scale, mostMs: 60_000 * scale }
}

/** Tries for ever, until the service says yes or says no in a way that another try would not change. */
export async function untilReached<T>(
  attempt: (options: { signal: AbortSignal; retry: RetryOptions }) => Promise<T>,
  { signal, pace }: Persistence,
  isFinal: (error: unknown) => boolean | Promise<boolean> = isRefusal,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      const timed = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
      return await attempt({ signal: timed, retry: pace })
    } catch (error) {
      signal.throwIfAborted()
      if (await isFinal(error)) throw error
    }
    await sleep(waitMs(Math.min(failures, 10), pace, null), signal)
  }
}

/**
 * A no that stays a no. A token of a runner that is not taken is none: what is to be said waits for one that is, and who
 * holds the run decides for how long.
 */
export function isRefusal(error: unknown): boolean {
  if (!isServiceError(error) || error.code === 'internal' || isPassingCode(error.code)) return false
  return error.code !== 'unauthenticated' || error.details?.['reason'] === 'run_over'
}

/**
 * The same of what the runner itself has to say: while its person may not work here it is kept, for the right may be
 * given back. The lease, which is refused with it, decides for how long. Decision 40.
 */
export function isFinalForRunner(error: unknown): boolean {
  return isRefusal(error) && !isForbidden(error)
}

/** The service takes the token of the runner no more, or not its right. */
export function isOfRunner(error: unknown): error is ServiceError {
  return isServiceError(error) && ['unauthenticated', 'forbidden'].includes(error.code)
}

export function isForbidden(error: unknown): boolean {
  return isServiceError(error) && error.code === 'forbidden'
}
