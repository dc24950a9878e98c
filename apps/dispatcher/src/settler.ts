import { setTimeout as delay } from 'node:timers/promises'
import type { Domain } from '@svc/domain/domain'
import type { Finished } from '@svc/domain/webhooks/sending/moves'
import { settle } from '@svc/domain/webhooks/sending/settle'
import type { Log } from '@svc/process/log'
import { backoffMs } from '@svc/process/loop'
import type { DispatcherLimits, DispatcherTiming } from './timing.ts'

export interface Outcome {
  finished: Finished
  /** In process time: when its lease lapses, so that to write it is no use any more. */
  leaseEndsAt: number
}

export interface Settler {
  /** Resolves once it is written, or given up. */
  settle(outcome: Outcome): Promise<void>
}

interface SettlerOptions {
  domain: Domain
  limits: DispatcherLimits
  timing: DispatcherTiming
  log: Log
}

interface Waiting extends Outcome {
  done: () => void
}

/** Left of a lease when the last try to write an outcome may begin. */
const marginMs = 2_000

/** Writes outcomes together: one commit costs as much as the writing of many. */
export function createSettler({ domain, limits, timing, log }: SettlerOptions): Settler {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    void write(batch).finally(() => {
      for (const one of batch) one.done()
    })
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      const live = batch.filter((one) => performance.now() < one.leaseEndsAt - marginMs)
      // what is dropped here is sent again by whoever claims it next
      if (live.length < batch.length)
        log.warn({ count: batch.length - live.length }, 'outcomes lapsed')
      if (live.length === 0) return
      try {
        await settle(
          domain,
          live.map((one) => one.finished),
          timing,
        )
        return
      } catch (error) {
        log.warn({ err: error, count: live.length, failures }, 'outcomes could not be written yet')
        if (failures === 2 && live.length > 1) return writeEach(live)
        await delay(backoffMs(failures))
      }
    }
  }

  /** One that cannot be written must not keep the others. */
  async function writeEach(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await write([one])
  }

  return {
    settle(outcome) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ ...outcome, done: resolve })
      if (waiting.length >= limits.settleBatch) flush()
      else timer ??= setTimeout(flush, limits.settleWaitMs)
      return promise
    },
  }
}
