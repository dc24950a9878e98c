/** How often a repeatable call is tried, and how long it waits between. */
export interface RetryOptions {
  attempts: number
  firstMs: number
  mostMs: number
  /** Where the service asks for a longer wait there is no other attempt: whoever called is told, and decides. */
  patienceMs?: number
}

export const defaultRetry: RetryOptions = { attempts: 5, firstMs: 200, mostMs: 5_000 }

const longestRetryAfterMs = 60_000

/** Full jitter, doubled with each failure, and never sooner than the service asked for. */
export function waitMs(failures: number, retry: RetryOptions, retryAfter: string | null): number {
  const ceiling = Math.min(retry.mostMs, retry.firstMs * 2 ** (failures - 1))
  return askedMs(retryAfter) + Math.random() * ceiling
}

/** Whether there is another attempt after so many failures. */
export function goesOn(failures: number, retry: RetryOptions, retryAfter: string | null): boolean {
  const { attempts, patienceMs = Infinity } = retry
  return failures < attempts && askedMs(retryAfter) <= patienceMs
}

/** How long the service asks to be left alone. */
function askedMs(retryAfter: string | null): number {
  return Math.min(longestRetryAfterMs, Number(retryAfter ?? 0) * 1_000 || 0)
}

/** Resolves after the time; rejects with the signal's reason when it aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  await promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
}
