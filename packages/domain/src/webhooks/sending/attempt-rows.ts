import { isUtf8 } from 'node:buffer'
import type { AttemptOutcome } from '@svc/contracts/webhook-subscription'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import type { Attempt } from './load.ts'
import type { OutboundResult } from '../outbound.ts'

export interface AttemptEntry {
  attempt: Attempt
  outcome: AttemptOutcome
  result?: OutboundResult | undefined
  error?: string
}

/** What was left of claims before this one: nobody knows whether they sent anything. */
async function recordUnknown(tx: Tx, entries: readonly AttemptEntry[]): Promise<void> {
  const again = entries.filter(({ attempt }) => attempt.job.claim > 0)
  if (again.length === 0) return
  await sql`
    insert into webhook_attempt (workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome)
    select e.workspace_id, e.delivery_id, e.job_id, earlier, e.attempt, e.trigger, 'unknown_outcome'
      from ${recordset(again)}, generate_series(0, e.claim - 1) as earlier
    on conflict do nothing`.execute(tx)
}

/** One row for each claim that ended. What a late one says stands beside what was unknown, and changes nothing else. */
export async function recordAttempts(tx: Tx, entries: readonly AttemptEntry[]): Promise<void> {
  if (entries.length === 0) return
  await recordUnknown(
    tx,
    entries.filter((entry) => entry.outcome !== 'superseded'),
  )
  await sql`
    insert into webhook_attempt (workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome,
                                 started_at, error, phase, status, duration_ms, address,
                                 response_headers, response_body, response_truncated)
    select workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome,
           started_at, error, phase, status, duration_ms, address, headers, body, truncated
      from ${recordset(entries)}
    on conflict (workspace_id, delivery_id, job_id, claim) do update
       set outcome = excluded.outcome, started_at = excluded.started_at, ended_at = excluded.ended_at,
           error = excluded.error, phase = excluded.phase, status = excluded.status,
           duration_ms = excluded.duration_ms, address = excluded.address,
           response_headers = excluded.response_headers, response_body = excluded.response_body,
           response_truncated = excluded.response_truncated
     where webhook_attempt.outcome = 'unknown_outcome'`.execute(tx)
}

function recordset(entries: readonly AttemptEntry[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(entries.map(toRecord))}::jsonb)
    as e(workspace_id uuid, delivery_id uuid, job_id uuid, claim int, attempt int, trigger text, outcome text,
         started_at timestamptz, error text, phase text, status int, duration_ms int, address text,
         headers jsonb, body text, truncated boolean)`
}

function toRecord({ attempt, outcome, result, error }: AttemptEntry) {
  return {
    workspace_id: attempt.workspaceId,
    delivery_id: attempt.deliveryId,
    job_id: attempt.job.id,
    claim: attempt.job.claim,
    attempt: attempt.number,
    trigger: attempt.resentFrom ? 'resend' : 'schedule',
    outcome,
    started_at: attempt.startedAt,
    error: error ?? null,
    headers: {},
    truncated: false,
    ...(result && answerColumns(result)),
  }
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
