import type { Domain } from '../../domain.ts'
import { jobId, queues } from '../../jobs/jobs.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { isSuccess, recordNotSent } from './attempt-rows.ts'
import { countFailures } from './count-failures.ts'
import type { Attempt } from './load.ts'
import type { Finished, Move } from './moves.ts'
import { type DeliveryTiming, deferSeconds, retryDelays } from './retry-schedule.ts'
import { writeOutcomes } from './write-outcomes.ts'

/**
 * In one transaction: the jobs end, their attempts are written, and the next ones are made. Whose claim has lapsed, or
 * was settled before, is noted at most: of all claims of a job one settles.
 */
export function settle(
  domain: Domain,
  finished: readonly Finished[],
  timing: DeliveryTiming,
): Promise<void> {
  const ends = finished.map((one) => (one.did === 'drop' ? one : toMove(one)))
  return inTransaction({ domain }, async (tx) => {
    const { moved, mayCount } = await writeOutcomes(tx, ends, timing)
    if (mayCount) await countFailures(tx, moved)
  })
}

/** spec: Limits, row Retry backoff. */
function toMove(finished: Exclude<Finished, { did: 'drop' }>): Move {
  const { did, attempt } = finished
  const { number, resentFrom } = attempt
  const result = did === 'send' ? finished.result : null
  const ends = {
    did: 'move',
    attempt,
    result,
    delay: null,
    nextJobId: null,
    counts: false,
  } as const
  if (result && isSuccess(result)) {
    return { ...ends, state: 'delivered', attempts: number, counts: true }
  }
  // a resend that did not arrive leaves everything as it was
  if (resentFrom) return { ...ends, state: resentFrom, attempts: number - 1 }
  if (did !== 'send') {
    const state = did === 'cancel' ? 'canceled' : 'held'
    return { ...ends, state, attempts: number - 1 }
  }
  const delay = retryDelays[number - 1]
  if (delay === undefined) return { ...ends, state: 'failed', attempts: number, counts: true }
  const nextJobId = jobId(attempt.deliveryId, String(number + 1))
  return { ...ends, state: 'pending', attempts: number, delay, nextJobId }
}

/** Not the endpoint's fault: the same attempt again after a while, and nothing counted. */
export function defer(domain: Domain, attempt: Attempt, error: string): Promise<void> {
  return notSent(domain, attempt, error, deferSeconds(attempt.job.claim))
}

/** Claimed and not begun, by a process that stops: due again at once. */
export function giveBack(domain: Domain, attempt: Attempt): Promise<void> {
  return notSent(domain, attempt, 'stopped', 0)
}

function notSent(domain: Domain, attempt: Attempt, error: string, seconds: number): Promise<void> {
  return inTransaction({ domain }, async (tx) => {
    const { webhookDelivery } = queues
    if (!(await domain.jobs.release(tx, webhookDelivery, attempt.job, seconds))) return
    await recordNotSent(tx, attempt, error)
  })
}
