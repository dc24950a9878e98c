import type { Log } from './log.ts'
import { loopPassed } from './measured.ts'

export interface LoopOptions {
  name: string
  everyMs: number
  /** One pass. A positive number says that something was done: the next pass follows at once. */
  run: (signal: AbortSignal) => Promise<unknown>
  log: Log
}

export interface Loop extends AsyncDisposable {
  readonly name: string
  /** The next pass begins now, or right after the one that is running. */
  wake: () => void
  /** Passes until one finds nothing to do; a failing pass rejects. */
  drain: () => Promise<void>
}

/** Runs again and again until it is disposed; passes never overlap, and an error only delays the next. */
export function startLoop({ name, everyMs, run, log }: LoopOptions): Loop {
  const stopping = new AbortController()
  const sleeper = createSleeper()
  let previous: Promise<unknown> = Promise.resolve()

  async function pass(): Promise<boolean> {
    const mine = previous.then(() => run(stopping.signal))
    const startedAt = performance.now()
    const tell = (failed: boolean) =>
      loopPassed.tell(() => ({ loop: name, failed, seconds: secondsSince(startedAt) }))
    previous = mine.then(
      () => tell(false),
      () => tell(true),
    )
    const done = await mine
    return typeof done === 'number' && done > 0
  }

  async function turn(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      try {
        const again = await pass()
        failures = 0
        if (!again) await sleeper.sleep(everyMs)
      } catch (error) {
        if (stopping.signal.aborted) return
        failures += 1
        log.warn({ err: error, loop: name, failures }, 'a loop failed and will try again')
        await sleeper.rest(backoffMs(failures))
      }
    }
  }

  const turning = turn()
  return {
    name,
    wake: sleeper.wake,
    async drain() {
      while (!stopping.signal.aborted && (await pass())) continue
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      sleeper.stop()
      await turning
      await previous
    },
  }
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1_000

/** 0.2 s after the first failure, doubled with each, at most 5 s. */
export function backoffMs(failures: number): number {
  return Math.min(5_000, 200 * 2 ** Math.min(failures - 1, 10))
}

function createSleeper() {
  let woken = false
  let stopped = false
  let end: (() => void) | undefined
  let wakeable = false

  async function pause(ms: number, canWake: boolean): Promise<void> {
    if (stopped || (canWake && woken)) {
      woken = false
      return
    }
    wakeable = canWake
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    end = resolve
    await promise
    clearTimeout(timer)
    end = undefined
    if (canWake) woken = false
  }

  return {
    sleep: (ms: number) => pause(ms, true),
    /** A sleep that no wake shortens: the database that is away is not asked more often for it. */
    rest: (ms: number) => pause(ms, false),
    wake: () => {
      woken = true
      if (wakeable) end?.()
    },
    stop: () => {
      stopped = true
      end?.()
    },
  }
}
