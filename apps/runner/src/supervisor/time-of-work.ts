/** A time to work in, which stands still while others are waited for. */
export interface TimeOfWork extends Disposable {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>
}

export function startTimeOfWork(ms: number): TimeOfWork {
  const up = new AbortController()
  let leftMs = ms
  let waits = 0
  let stop = go()

  /** Returns what stops it. */
  function go(): () => void {
    const began = performance.now()
    const timer = setTimeout(() => up.abort(new Error('the time to work is up')), leftMs)
    return () => {
      clearTimeout(timer)
      leftMs -= performance.now() - began
    }
  }

  return {
    signal: up.signal,
    async whileWaiting(wait) {
      if (waits === 0) stop()
      waits += 1
      try {
        return await wait()
      } finally {
        waits -= 1
        if (waits === 0) stop = go()
      }
    },
    [Symbol.dispose]: () => stop(),
  }
}
