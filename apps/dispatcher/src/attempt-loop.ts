import type { Domain } from '@svc/domain/domain'
import type { ClaimedJob } from '@svc/domain/commit/jobs'
import { channels } from '@svc/domain/commit/wake-hub'
import { type Attempt, claimAttempts, loadAttempts } from '@svc/domain/webhooks/sending/load'
import type { Finished } from '@svc/domain/webhooks/sending/moves'
import { requestOf } from '@svc/domain/webhooks/sending/request'
import { defer, giveBack } from '@svc/domain/webhooks/sending/settle'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
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

/** Claims due attempts as slots are free, sends each by itself, and writes the outcomes in batches. */
export function startAttemptLoop(options: AttemptLoopOptions): AttemptLoop {
  const { domain, timing, limits, log } = options
  const inFlight = createInFlight(limits)
  const settler = createSettler(options)

  async function pass(signal: AbortSignal): Promise<number> {
    const limit = await inFlight.freeSlots(signal)
    if (limit === 0) return 0
    const leaseEndsAt = performance.now() + timing.leaseSeconds * 1000
    const jobs = await claimAttempts(domain, {
      limit,
      perGroup: limits.perSubscription,
      ignoreGroups: inFlight.fullGroups(),
    })
    if (jobs.length === 0) return 0
    for (const loaded of await loadAttempts(domain, jobs)) {
      const { todo } = loaded
      const job = todo === 'drop' ? loaded.job : loaded.attempt.job
      if (todo !== 'send') {
        inFlight.add(job, settler.settle({ finished: finishedOf(loaded), leaseEndsAt }))
      } else if (signal.aborted) {
        await giveBack(domain, loaded.attempt)
      } else {
        inFlight.add(job, attemptOnce(loaded.attempt, leaseEndsAt))
      }
    }
    return jobs.length
  }

  async function attemptOnce(attempt: Attempt, leaseEndsAt: number): Promise<void> {
    try {
      // a process that was paused must not send what another may hold by now
      if (performance.now() > leaseEndsAt - timing.attemptMs) return
      const request = requestOf(domain, attempt)
      const result = await domain.outbound.send({ ...request, timeoutMs: timing.attemptMs })
      await settler.settle({ finished: { did: 'send', attempt, result }, leaseEndsAt })
    } catch (error) {
      log.error({ err: error, delivery: attempt.deliveryId }, 'an attempt failed by our own fault')
      await deferQuietly(attempt, error)
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

type Unsent = { todo: 'cancel' | 'hold'; attempt: Attempt } | { todo: 'drop'; job: ClaimedJob }

function finishedOf(loaded: Unsent): Finished {
  return loaded.todo === 'drop'
    ? { did: 'drop', job: loaded.job }
    : { did: loaded.todo, attempt: loaded.attempt }
}
