import type { Composer } from '@svc/domain/deliveries/composer'
import type { Domain } from '@svc/domain/domain'
import type { Log } from '@svc/process/log'
import type { Loop } from '@svc/process/loop'
import { startAttemptLoop } from './attempt-loop.ts'
import { startCompositionLoop } from './composition-loop.ts'
import { startFanOutLoop } from './fan-out-loop.ts'
import { startSweeps } from './sweeps.ts'
import {
  type DispatcherLimits,
  type DispatcherTiming,
  defaultDispatcherLimits,
  defaultDispatcherTiming,
} from './timing.ts'

export interface DispatcherOptions {
  domain: Domain
  /** Without one, compositions are left to others. */
  composer?: Composer | undefined
  log: Log
  timing?: Partial<DispatcherTiming>
  limits?: Partial<DispatcherLimits>
}

export interface Dispatching extends AsyncDisposable {
  readonly loops: readonly Loop[]
  /** Does what is due now, and returns when nothing moves any more. */
  drain(): Promise<void>
}

/** The loops of one dispatcher over a domain that is open. Disposed, it lets what it sends come to its end. */
export function startDispatcher(options: DispatcherOptions): Dispatching {
  const { domain, composer, log } = options
  const timing = { ...defaultDispatcherTiming, ...options.timing }
  const limits = { ...defaultDispatcherLimits, ...options.limits }
  const stack = new AsyncDisposableStack()
  const sweeps = startSweeps({ domain, timing, log }).map((loop) => stack.use(loop))
  const fanOut = stack.use(startFanOutLoop({ domain, timing, log }))
  const attempts = stack.use(startAttemptLoop({ domain, timing, limits, log }))
  const compositions = composer
    ? [stack.use(startCompositionLoop({ domain, composer, timing, log }))]
    : []
  return {
    loops: [...sweeps, fanOut, attempts, ...compositions],
    async drain() {
      await fanOut.drain()
      for (const loop of compositions) await loop.drain()
      do {
        await attempts.drain()
        await attempts.idle()
        // what waited for the cap of its subscription
        await attempts.drain()
      } while (attempts.inFlight() > 0)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
