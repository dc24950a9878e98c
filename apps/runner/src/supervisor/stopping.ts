import type { ExitCause } from '@svc/contracts/runner'

/** Why a run ends before its agent does by itself. */
export interface Stop {
  cause: ExitCause
  /** Superseded: it ends without a word. */
  silent: boolean
}

/** The first reason to stop counts, save that being superseded silences any. */
export interface Stopping {
  readonly signal: AbortSignal
  readonly reason: () => Stop | undefined
  stop: (stop: Stop) => void
}

export function createStopping(): Stopping {
  const controller = new AbortController()
  let current: Stop | undefined
  return {
    signal: controller.signal,
    reason: () => current,
    stop(stop) {
      if (current === undefined) current = stop
      else if (stop.silent) current = { ...current, silent: true }
      controller.abort(new RunStopped())
    },
  }
}

/** What interrupted work throws; the reason is in `Stopping`. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
}

/** Rejects as soon as the signal aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
