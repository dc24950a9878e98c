import { composeDue } from '@svc/domain/deliveries/compose-due'
import type { Composer } from '@svc/domain/deliveries/composer'
import type { Domain } from '@svc/domain/domain'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import type { DispatcherTiming } from './timing.ts'

interface CompositionLoopOptions {
  domain: Domain
  composer: Composer
  timing: DispatcherTiming
  log: Log
}

/** Has presentations composed, one at a time. Nothing waits for them, so no hint wakes it. */
export function startCompositionLoop(options: CompositionLoopOptions): Loop {
  const { domain, composer, timing, log } = options
  return startLoop({
    name: 'compositions',
    everyMs: timing.pollMs,
    run: (signal) => composeDue(domain, composer, signal),
    log,
  })
}
