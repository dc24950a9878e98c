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

/**
 * Writes outcomes together: one commit costs as much as the writing of many. What comes while a batch is written waits
 * for it, so batches grow with the load; a second is written at the same time only where many wait, and never a third.
 */
export function createSettler({ domain, limits, timing, log }: SettlerOptions): Settler {
  const waiting: Waiting[] = []
  let writing = 0
  let ended = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting.splice(0, limits.settleMost)
    void write(batch).finally(() => {
      for (const one of batch) one.done()
      // a batch that had lapsed was not tried, so its end has sent nothing after it
      if (writing === 0 && waiting.length > 0) flush()
    })
  }

  function flushIfMany(): void {
    if (writing < 2 && waiting.length >= limits.settleBatch) flush()
  }

  /** While it is not tried, a batch that cannot be written is in nobody's way. */
  async function tryOnce(batch: readonly Waiting[]): Promise<void> {
    writing += 1
    try {
      await settle(
        domain,
        batch.map((one) => one.finished),
        timing,
      )
    } finally {
      writing -= 1
      ended.resolve()
      ended = Promise.withResolvers()
      if (writing === 0) flush()
      else flushIfMany()
    }
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      while (writing === 2) await ended.promise
      const live = batch.filter((one) => performance.now() < one.leaseEndsAt - marginMs)
      // what is dropped here is sent again by whoever claims it next
      if (live.length < batch.length)
        log.warn({ count: batch.length - live.length }, 'outcomes lapsed')
      if (live.length === 0) return
      try {
        return await tryOnce(live)
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
      flushIfMany()
      if (writing === 0) timer ??= setTimeout(flush, limits.settleWaitMs)
      return promise
    },
  }
}
