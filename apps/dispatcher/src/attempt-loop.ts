import type { Domain } from '@svc/domain/domain'
import { channels } from '@svc/domain/jobs/wake-hub'
import { type Attempt, type LoadedJob, claimAttempts } from '@svc/domain/webhooks/sending/load'
import type { Finished } from '@svc/domain/webhooks/sending/moves'
import { requestOf } from '@svc/domain/webhooks/sending/request'
import { defer, giveBack } from '@svc/domain/webhooks/sending/settle'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import { attemptEnded } from '@svc/process/measured'
import { createInFlight } from './in-flight.ts'
import { createSettler } from './settler.ts'
import type { DispatcherLimits, DispatcherTiming } from './timing.ts'
import { wakeOnHints } from './wake-on-hints.ts'

interface AttemptLoopOptions {
  domain: Domain
  timing: DispatcherTiming
  limits: DispatcherLimits
  log: Log
}

export interface AttemptLoop extends Loop {
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>
  inFlight(): number
}

/** Claims due attempts while others are sent, sends each by itself, and writes the outcomes in batches. */
export function startAttemptLoop(options: AttemptLoopOptions): AttemptLoop {
  const { domain, timing, limits, log } = options
  const inFlight = createInFlight(limits)
  const settler = createSettler(options)

  async function pass(signal: AbortSignal): Promise<number> {
    const limit = await inFlight.room(signal)
    if (limit === 0) return 0
    const leaseEndsAt = performance.now() + timing.leaseSeconds * 1000
    const claimed = await claimAttempts(domain, {
      limit,
      perSubscription: limits.perSubscription,
      answered: inFlight.answered(),
    })
    for (const loaded of claimed) {
      if (loaded.todo === 'send' && signal.aborted) await giveBack(domain, loaded.attempt)
      else begin(loaded, leaseEndsAt)
    }
    return claimed.length
  }

  function begin(loaded: LoadedJob, leaseEndsAt: number): void {
    const job = loaded.todo === 'drop' ? loaded.job : loaded.attempt.job
    inFlight.add(job, finish(loaded, leaseEndsAt), async (finished) => {
      if (finished) await settler.settle({ finished, leaseEndsAt })
    })
  }

  async function finish(loaded: LoadedJob, leaseEndsAt: number): Promise<Finished | undefined> {
    if (loaded.todo === 'drop') return { did: 'drop', job: loaded.job }
    const { todo, attempt } = loaded
    return todo === 'send' ? attemptOnce(attempt, leaseEndsAt) : { did: todo, attempt }
  }

  async function attemptOnce(attempt: Attempt, leaseEndsAt: number): Promise<Finished | undefined> {
    // a process that was paused must not send what another may hold by now
    if (performance.now() > leaseEndsAt - timing.attemptMs) return undefined
    try {
      const request = requestOf(domain, attempt)
      const result = await domain.outbound.send({ ...request, timeoutMs: timing.attemptMs })
      const { outcome, timings } = result
      const { number, deliveryId, subscriptionId, eventId } = attempt
      const seconds = timings.total / 1_000
      const of = { number, deliveryId, subscriptionId, eventId, payload: request.body }
      attemptEnded.tell(() => ({ outcome, seconds, ...of }))
      // many outcomes may wait to be written, and none of them for what was sent
      return { did: 'send', attempt: { ...attempt, body: null }, result }
    } catch (error) {
      log.error({ err: error, delivery: attempt.deliveryId }, 'an attempt failed by our own fault')
      await deferQuietly(attempt, error)
      return undefined
    }
  }

  /** Where even that fails, the lease lapses. */
  async function deferQuietly(attempt: Attempt, error: unknown): Promise<void> {
    const why = error instanceof Error ? error.message : String(error)
    await defer(domain, attempt, why).catch((err: unknown) =>
      log.warn({ err, delivery: attempt.deliveryId }, 'an attempt could not be put off'),
    )
  }

  const loop = startLoop({ name: 'attempts', everyMs: timing.pollMs, run: pass, log })
  // an endpoint at its cap may have more waiting, and so may a slot that was taken
  inFlight.onFree(loop.wake)
  const hints = wakeOnHints(domain, channels.deliveries, loop)
  return {
    ...loop,
    idle: () => inFlight.idle(),
    inFlight: () => inFlight.count(),
    async [Symbol.asyncDispose]() {
      await hints[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
      await inFlight.idle()
    },
  }
}
