import { sweepCompositions } from '@svc/domain/deliveries/sweep-compositions'
import type { Domain } from '@svc/domain/domain'
import { purgeExpired } from '@svc/domain/sweep/purge-expired'
import { sweepDeliveries, sweepEvents, sweepHeld } from '@svc/domain/webhooks/sending/sweeps'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import type { DispatcherTiming } from './timing.ts'

interface SweepOptions {
  domain: Domain
  timing: DispatcherTiming
  log: Log
}

/** What a crash left behind is taken up again, and what is old goes. Safe in any number. */
export function startSweeps({ domain, timing, log }: SweepOptions): Loop[] {
  /** In a healthy system there is nothing to repair, so each repair is worth a line. */
  const repairing = async (what: string, sweep: () => Promise<number>) => {
    const repaired = await sweep()
    if (repaired > 0) log.warn({ repaired, sweep: what }, 'lost jobs were made again')
  }
  return [
    startLoop({
      name: 'sweep-events',
      everyMs: timing.sweepMs,
      run: () => repairing('events', () => sweepEvents(domain)),
      log,
    }),
    startLoop({
      name: 'sweep-deliveries',
      everyMs: timing.sweepMs,
      run: () => repairing('deliveries', () => sweepDeliveries(domain, timing)),
      log,
    }),
    startLoop({
      name: 'sweep-compositions',
      everyMs: timing.sweepMs,
      run: () => sweepCompositions(domain),
      log,
    }),
    startLoop({
      name: 'sweep-held',
      everyMs: timing.slowSweepMs,
      run: () => sweepHeld(domain),
      log,
    }),
    startLoop({
      name: 'purge-expired',
      everyMs: timing.slowSweepMs,
      run: () => purgeExpired(domain, 'by the dispatcher'),
      log,
    }),
  ]
}
