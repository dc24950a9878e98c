import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { jobRows, queues } from '../../jobs/jobs.ts'
import { isSuccess, logAttempts, recordColumns, recordOf } from './attempt-rows.ts'
import type { Dropped, Move } from './moves.ts'
import type { DeliveryTiming } from './retry-schedule.ts'

export interface Written {
  /** Those whose claim still held, and whose delivery still waited for this very job. */
  moved: Move[]
  /** Whether one of them changes a counter of failures. */
  mayCount: boolean
}

/**
 * One statement for the whole batch. The fence is the delete: what was claimed again is another `retry_count`, and all
 * that follows joins what it answers. Its array of ids keeps it a look-up by key, whatever the planner believes of the
 * table. A success at a counter of zero changes nothing and locks nothing.
 */
export async function writeOutcomes(
  tx: Tx,
  ends: readonly (Move | Dropped)[],
  { leaseSeconds }: DeliveryTiming,
): Promise<Written> {
  const records = JSON.stringify(ends.map(toRecord))
  const { rows } = await sql<{ job_id: string; claim: number; has_failures: boolean }>`
    with given as materialized (
      select * from jsonb_to_recordset(${records}::jsonb)
        as g(${recordColumns}, state text, attempts int, delay int, next_job_id uuid)),
    ended as (
      delete from ${jobRows.table} using given g
       where ${jobRows.of(queues.webhookDelivery)} and j.id = any(array(select job_id from given))
         and j.id = g.job_id and ${jobRows.isClaimed} and j.retry_count = g.claim
      returning j.id as job_id, j.retry_count as claim),
    moved as (
      update webhook_deliveries d
         set state = g.state, attempts = g.attempts, job_id = g.next_job_id, resent_from = null,
             next_attempt_at = app.now() + g.delay * interval '1 second',
             jobs = d.jobs + case when g.next_job_id is null then 0 else 1 end,
             settled_at = case when g.state <> 'pending' then app.now() end
        from given g join ended e on e.job_id = g.job_id and e.claim = g.claim
       where d.workspace_id = g.workspace_id and d.id = g.delivery_id and d.job_id = g.job_id
         and d.state = 'pending'
      returning d.workspace_id, d.id, d.subscription_id, g.job_id, g.claim, g.next_job_id, g.delay),
    traced as (
      select g.*, e.job_id is not null as is_ours
        from given g left join ended e on e.job_id = g.job_id and e.claim = g.claim
       where g.outcome is not null),
    ${logAttempts},
    next as (${jobRows.insert(
      queues.webhookDelivery,
      sql`
      select next_job_id as id, subscription_id::text as group_id, ${leaseSeconds}::int as expire_seconds,
             jsonb_build_object('workspaceId', workspace_id, 'deliveryId', id) as data,
             ${jobRows.now} + delay * interval '1 second' as start_after
        from moved where next_job_id is not null`,
    )})
    select m.job_id, m.claim, s.consecutive_failures > 0 as has_failures
      from moved m
      cross join lateral (
        select consecutive_failures from webhook_subscriptions
         where workspace_id = m.workspace_id and id = m.subscription_id limit 1) s`.execute(tx)
  const failing = new Map(rows.map((row) => [`${row.job_id} ${row.claim}`, row.has_failures]))
  const moved = ends.flatMap((end) =>
    end.did === 'move' && failing.has(`${end.attempt.job.id} ${end.attempt.job.claim}`)
      ? [end]
      : [],
  )
  const hasFailures = rows.some((row) => row.has_failures)
  return { moved, mayCount: hasFailures || moved.some((move) => move.state === 'failed') }
}

function toRecord(end: Move | Dropped) {
  if (end.did === 'drop') return { job_id: end.job.id, claim: end.job.claim }
  const { attempt, result, state, attempts, delay, nextJobId } = end
  return {
    ...recordOf(attempt),
    ...(result &&
      recordOf(attempt, { outcome: isSuccess(result) ? 'delivered' : 'failed', result })),
    state,
    attempts,
    delay,
    next_job_id: nextJobId,
  }
}
