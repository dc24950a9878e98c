import { isUtf8 } from 'node:buffer'
import type { AttemptOutcome } from '@svc/contracts/webhook-subscription'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Attempt } from './load.ts'
import type { OutboundResult } from '../../outbound.ts'

/** The columns of a record: which claim of a job it is about, and how that ended, where it left a trace. */
export const recordColumns = sql`
  workspace_id uuid, delivery_id uuid, job_id uuid, claim int, attempt int, trigger text, mode text, outcome text,
  started_at timestamptz, error text, phase text, status int, duration_ms int, address text,
  headers jsonb, body text, truncated boolean`

/**
 * Parts of a statement that has the records of a batch as `given`, and as `traced` those that left a trace, with
 * `is_ours` where the claim still held. One row for each claim that ended. Nobody knows whether earlier claims that are
 * not in the batch sent anything; what a late one reports replaces that, and changes nothing else.
 */
export const logAttempts = sql`
  unknown as (
    insert into webhook_attempts (workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome)
    select t.workspace_id, t.delivery_id, t.job_id, earlier, t.attempt, t.trigger, 'unknown_outcome'
      from traced t cross join generate_series(0, t.claim - 1) as earlier
     where t.is_ours and t.claim > 0 and not exists (
       select from given g where g.job_id = t.job_id and g.claim = earlier)
    on conflict do nothing),
  logged as (
    insert into webhook_attempts (workspace_id, delivery_id, job_id, claim, attempt, trigger, mode, outcome,
                                 started_at, error, phase, status, duration_ms, address,
                                 response_headers, response_body, response_truncated)
    select workspace_id, delivery_id, job_id, claim, attempt, trigger, mode,
           case when is_ours then outcome else 'superseded' end,
           started_at, error, phase, status, duration_ms, address, headers, body, truncated
      from traced
    on conflict (workspace_id, delivery_id, job_id, claim) do update
       set mode = excluded.mode, outcome = excluded.outcome, started_at = excluded.started_at, ended_at = excluded.ended_at,
           error = excluded.error, phase = excluded.phase, status = excluded.status,
           duration_ms = excluded.duration_ms, address = excluded.address,
           response_headers = excluded.response_headers, response_body = excluded.response_body,
           response_truncated = excluded.response_truncated
     where webhook_attempts.outcome = 'unknown_outcome')`

export function recordOf(
  attempt: Attempt,
  end?: { outcome: AttemptOutcome; result?: OutboundResult },
) {
  return {
    workspace_id: attempt.workspaceId,
    delivery_id: attempt.deliveryId,
    job_id: attempt.job.id,
    claim: attempt.job.claim,
    attempt: attempt.number,
    trigger: attempt.resentFrom ? 'resend' : 'schedule',
    started_at: attempt.startedAt,
    headers: {},
    truncated: false,
    ...(end && { outcome: end.outcome }),
    ...(end?.result && { mode: attempt.mode, ...answerColumns(end.result) }),
  }
}

/** Records an attempt that was claimed and not made, by our own fault. */
export async function recordNotSent(tx: Tx, attempt: Attempt, error: string): Promise<void> {
  const records = JSON.stringify([{ ...recordOf(attempt, { outcome: 'not_sent' }), error }])
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${records}::jsonb) as g(${recordColumns})),
    traced as (select *, true as is_ours from given),
    ${logAttempts}
    select from traced`.execute(tx)
}

/** What the log keeps of an answer, for an attempt and a test alike. */
export function answerColumns(result: OutboundResult) {
  return {
    error: isSuccess(result) ? null : result.outcome,
    phase: result.phase ?? null,
    status: result.status ?? null,
    duration_ms: Math.round(result.timings.total),
    address: result.address ?? null,
    headers: Object.fromEntries(result.headers.map(([name, value]) => [name, storable(value)])),
    body: textOf(result.body),
    truncated: result.truncated,
  }
}

export function isSuccess(result: OutboundResult): boolean {
  return result.outcome === 'success'
}

/** As text where it is UTF-8, else as base64. */
function textOf(body: Buffer): string {
  return isUtf8(body) ? storable(body.toString()) : body.toString('base64')
}

/** PostgreSQL keeps no NUL in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '')
}
