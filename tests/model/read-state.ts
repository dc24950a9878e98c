import { limits } from '@svc/contracts/limits'
import type { Queryable } from '@svc/db/database'
import { defaultSeconds } from '@svc/domain/seconds'
import { type RawBuilder, sql } from 'kysely'
import type { State } from './state.ts'

/** One statement, so that it is one moment. */
export async function readState(db: Queryable): Promise<State> {
  const { rows } = await read.execute(db)
  if (!rows[0]) throw new Error('a statement without a table answers one row')
  return rows[0].state
}

function isPast(since: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> {
  return sql`coalesce(${since} + make_interval(secs => ${sql.lit(seconds)}) < app.now(), false)`
}

/**
 * Whether a request is overdue: nobody attached in time, nobody ended what was cancelled, its lease has lapsed, or its
 * agent is silent.
 */
const isOverdue = sql<boolean>`(
  (status = 'launched' and ${isPast(sql`attach_by`, 0)})
  or (ended_at is null and ${isPast(sql`cancel_requested_at`, defaultSeconds.cancel)})
  or (status in ('claimed', 'launching', 'launched') and ended_at is null
    and coalesce(outcome, 'running') = 'running'
    and ${isPast(sql`lease_expires_at`, defaultSeconds.lease / 4)}
    and not exists (select from agent_sessions s
      where s.execution_request_id = r.id and s.generation = r.generation))
  or (status = 'launched' and outcome = 'running' and exists (select from agent_sessions s
      where s.execution_request_id = r.id and s.generation = r.generation
        and s.status in ('active', 'waiting_answer', 'stale', 'parked')
        and ${isPast(sql`greatest(s.last_heard_at, r.lease_renewed_at)`, defaultSeconds.lost)})))`

/** One result an attempt, of what the model reports. */
const attempt = sql`case when checks is null then null else json_build_object(
  'number', (checks ->> 'attempt')::int, 'begun', checks ? 'begunAt',
  'outcome', checks #>> '{report,results,0,outcome}', 'refused', checks ? 'refused',
  'failures', (checks ->> 'failures')::int,
  'overdue', case when checks ? 'begunAt'
    then ${isPast(sql`(checks ->> 'begunAt')::timestamptz`, limits.checkSeconds + defaultSeconds.lease + 120)}
    else ${isPast(sql`(checks ->> 'wantedAt')::timestamptz`, defaultSeconds.lease)} end) end`

const read = sql<{ state: State }>`
  select json_build_object(
    'horizon', pg_snapshot_xmax(pg_current_snapshot())::text,
    'missions', (select coalesce(json_agg(json_build_object(
        'id', m.id, 'phase', s.type, 'parallel', m.allow_parallel_objectives,
        'auto', m.auto_advance, 'deleted', m.deleted_at is not null,
        'budget', json_build_object('usd', m.budget_millionths / 1000000.0, 'tokens', m.budget_tokens, 'runs', m.budget_runs),
        'restorable', m.deleted_at is null or m.deleted_at > app.now() - make_interval(days => ${limits.restorableDays}))
        order by m.sequence), '[]')
      from missions m join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id),
    'objectives', (select coalesce(json_agg(json_build_object(
        'id', id, 'mission', mission_id, 'state', state, 'prior', prior_state, 'position', position,
        'blank', blank, 'agent', assigned_agent, 'model', model, 'resource', resource_key,
        'outcome', last_outcome, 'stopped', need is not distinct from 'stopped', 'check', chosen_check,
        'deleted', deleted_at is not null,
        'restorable', deleted_at is null or deleted_at > app.now() - make_interval(days => ${limits.restorableDays}))
        order by id), '[]') from objectives),
    'requests', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'mission', mission_id, 'status', status,
        'outcome', outcome, 'kind', kind, 'agent', agent, 'model', config -> 'model' ->> 'value',
        'resource', resource_key,
        'generation', generation, 'attempt', attempt, 'seq', seq, 'resumeOf', resume_of,
        'cancelling', cancel_requested_at is not null, 'ended', ended_at is not null,
        'onlyDevice', only_device, 'taken', runner_id is not null, 'used', used,
        'source', source, 'held', run_after > app.now(),
        'givenBackUntil', coalesce(last_release ? 'until', false),
        'left', array(select key from jsonb_each(waits)
                       where (value ->> 'until')::timestamptz > app.now()),
        'overdue', ${isOverdue},
        'leased', coalesce(lease_expires_at > app.now(), false),
        'check', ${attempt}) order by created_at, id), '[]') from execution_requests r),
    'sessions', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'mission', mission_id,
        'request', execution_request_id, 'generation', generation, 'status', status,
        'endReason', end_reason, 'seq', seq, 'overdue', execution_request_id is null
          and status in ('active', 'stale') and ${isPast(sql`last_heard_at`, defaultSeconds.lost)})
        order by seq), '[]') from agent_sessions),
    'questions', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'session', session_id, 'status', status,
        'overdue', closed_at is null and expires_at < app.now()) order by asked_at, id), '[]') from questions),
    'queues', (select coalesce(json_agg(json_build_object(
        'id', id, 'paused', paused_at is not null, 'byPerson', paused_by is not null,
        'advancePending', advance_pending_since is not null) order by position), '[]') from run_queues),
    'entries', (select coalesce(json_agg(json_build_object(
        'id', id, 'queue', run_queue_id, 'objective', objective_id, 'state', state,
        'reason', reason, 'turn', turn_granted_by is not null, 'request', execution_request_id)
        order by run_queue_id, position), '[]') from run_queue_entries),
    'deliveries', (select coalesce(json_agg(json_build_object(
        'id', id, 'objective', objective_id, 'session', session_id,
        'checks', checks ->> 'outcome') order by id), '[]')
      from deliveries),
    'checks', (select coalesce(json_agg(c.name order by c.name), '[]')
                 from projects, jsonb_object_keys(checks) as c(name)),
    'artifacts', (select coalesce(json_agg(json_build_object(
        'id', id, 'mission', mission_id, 'revision', revision) order by id), '[]') from artifacts),
    'batches', (select coalesce(json_agg(json_build_object(
        'id', b.batch_id, 'objective', b.objective_id, 'items', b.items,
        'drained', b.drained_at is not null) order by s.seq, b.seq), '[]')
      from ledger_batches b
      join agent_sessions s on s.workspace_id = b.workspace_id and s.id = b.session_id),
    'files', (select coalesce(json_agg(json_build_object(
        'objective', objective_id, 'path', file_path, 'status', vcs_status)
        order by objective_id, file_path), '[]') from changed_files),
    'rationales', (select coalesce(json_agg(json_build_object(
        'objective', objective_id, 'path', file_path, 'why', why, 'delivered', delivery_id is not null)
        order by objective_id, file_path), '[]') from change_rationales)) as state`
