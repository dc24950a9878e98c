import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Domain } from '../../domain.ts'
import { type ClaimedJob, type NewJob, jobId, queues } from '../../commit/jobs.ts'
import { type AttemptEntry, isSuccess, recordAttempts } from './attempt-rows.ts'
import { countFailures } from './count-failures.ts'
import { attemptJob } from './fan-out.ts'
import type { Attempt } from './load.ts'
import type { Finished, Move } from './moves.ts'
import { type DeliveryTiming, deferSeconds, retryDelays } from './retry-schedule.ts'
import { inTransaction } from '../../commit/transaction.ts'

/**
 * In one transaction: the jobs end, their attempts are written, and the next ones are made. Whose claim has lapsed, or
 * was settled before, is noted at most: of all claims of a job one settles.
 */
export function settle(
  domain: Domain,
  finished: readonly Finished[],
  timing: DeliveryTiming,
): Promise<void> {
  return inTransaction({ domain }, async (tx) => {
    const ours = await domain.jobs.finish(tx, queues.webhookDelivery, finished.map(jobOf))
    const moves = finished
      .filter((one) => one.did !== 'drop')
      .filter((one) => ours.has(one.attempt.job.id))
      .map(toMove)
    const moved = await moveDeliveries(tx, moves)
    const counted = moves.filter((move) => moved.has(move.attempt.deliveryId))
    await recordAttempts(tx, [
      ...moves.flatMap((move) => entryOf(move.finished, 'send')),
      ...finished
        .filter((one) => !ours.has(jobOf(one).id))
        .flatMap((one) => entryOf(one, 'superseded')),
    ])
    await insertNext(tx, domain, counted, timing)
    await countFailures(tx, counted)
  })
}

function jobOf(finished: Finished): ClaimedJob {
  return finished.did === 'drop' ? finished.job : finished.attempt.job
}

/** spec: Limits, row Retry backoff. */
function toMove(finished: Exclude<Finished, { did: 'drop' }>): Move {
  const { attempt } = finished
  const { number, resentFrom } = attempt
  const ends = { finished, attempt, delay: null, nextJobId: null, counts: false }
  if (finished.did === 'send' && isSuccess(finished.result)) {
    return { ...ends, state: 'delivered', attempts: number, counts: true }
  }
  // a resend that did not arrive leaves everything as it was
  if (resentFrom) return { ...ends, state: resentFrom, attempts: number - 1 }
  if (finished.did !== 'send') {
    const state = finished.did === 'cancel' ? 'canceled' : 'held'
    return { ...ends, state, attempts: number - 1 }
  }
  const delay = retryDelays[number - 1]
  if (delay === undefined) return { ...ends, state: 'failed', attempts: number, counts: true }
  const nextJobId = jobId(attempt.deliveryId, String(number + 1))
  return { ...ends, state: 'pending', attempts: number, delay, nextJobId }
}

/** Answers those that still waited for this very job. */
async function moveDeliveries(tx: Tx, moves: readonly Move[]): Promise<Set<string>> {
  if (moves.length === 0) return new Set()
  const records = moves.map((move) => ({
    workspace_id: move.attempt.workspaceId,
    id: move.attempt.deliveryId,
    job_id: move.attempt.job.id,
    state: move.state,
    attempts: move.attempts,
    delay: move.delay,
    next_job_id: move.nextJobId,
  }))
  const { rows } = await sql<{ id: string }>`
    update webhook_delivery d
       set state = m.state, attempts = m.attempts, job_id = m.next_job_id, resent_from = null,
           next_attempt_at = app.now() + m.delay * interval '1 second',
           jobs = d.jobs + case when m.next_job_id is null then 0 else 1 end,
           settled_at = case when m.state <> 'pending' then app.now() end
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
             as m(workspace_id uuid, id uuid, job_id uuid, state text, attempts int, delay int,
                  next_job_id uuid)
     where d.workspace_id = m.workspace_id and d.id = m.id and d.job_id = m.job_id
       and d.state = 'pending'
    returning d.id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

function entryOf(finished: Finished, as: 'send' | 'superseded'): AttemptEntry[] {
  if (finished.did !== 'send') return []
  const { attempt, result } = finished
  if (as === 'superseded') return [{ attempt, result, outcome: 'superseded' }]
  return [{ attempt, result, outcome: isSuccess(result) ? 'delivered' : 'failed' }]
}

async function insertNext(
  tx: Tx,
  domain: Domain,
  moves: readonly Move[],
  timing: DeliveryTiming,
): Promise<void> {
  const jobs = moves.flatMap(({ attempt, delay, nextJobId }): NewJob[] => {
    if (delay === null || nextJobId === null) return []
    const { workspaceId, deliveryId, subscriptionId } = attempt
    const delivery = { workspace_id: workspaceId, id: deliveryId, subscription_id: subscriptionId }
    return [attemptJob(delivery, nextJobId, timing, delay)]
  })
  await domain.jobs.insert(tx, queues.webhookDelivery, jobs)
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
    await recordAttempts(tx, [{ attempt, outcome: 'not_sent', error }])
  })
}
