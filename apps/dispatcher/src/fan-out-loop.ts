import type { Domain } from '@svc/domain/domain'
import { channels } from '@svc/domain/jobs/wake-hub'
import { fanOutBatch, fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import type { DispatcherTiming } from './timing.ts'
import { wakeOnHints } from './wake-on-hints.ts'

interface FanOutLoopOptions {
  domain: Domain
  timing: DispatcherTiming
  log: Log
}

/** Makes deliveries of events, a batch at a time. spec: Events: the outbox is polled about every second. */
export function startFanOutLoop({ domain, timing, log }: FanOutLoopOptions): Loop {
  const loop = startLoop({
    name: 'fan-out',
    everyMs: timing.pollMs,
    run: async () => ((await fanOutDue(domain, timing)) === fanOutBatch ? fanOutBatch : 0),
    log,
  })
  const hints = wakeOnHints(domain, channels.outbox, loop)
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      await hints[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}
