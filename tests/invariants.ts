import type { Queryable } from '@svc/db/database'
import { where } from '@svc/domain/states/states'
import { objectiveLifecycle } from '@svc/domain/states/table'
import { findViolations } from '@svc/domain/entities/run-queues/invariants'
import { type RawBuilder, sql } from 'kysely'
import { needsInvariants } from './needs-invariants.ts'

interface Broken {
  id: string
}

const pending = sql`('open', 'answered')`
const active = sql`('launching', 'executing')`

const eventsOf = (type: string) => sql`mission_events where type = ${sql.lit(type)}`
const changesOf = (entity: string, operation: string) =>
  sql`entity_changes where entity = ${sql.lit(entity)} and operation = ${sql.lit(operation)}`
/** How many of these rows are about each thing: read once, whatever there is to compare it with. */
const countOf = (of: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
  sql`(select ${of} as of, count(*) as n from ${rows} group by 1)`

/** The share of runs in a sum, over `used`, what each of them used. */
const sharesOf = sql`
  count(*) as runs, count(*) filter (where not used ? 'usd') as without_usd,
  count(*) filter (where not used ?| array['inputTokens', 'outputTokens']) as without_tokens,
  coalesce(sum((used ->> 'inputTokens')::bigint), 0) as input_tokens,
  coalesce(sum((used ->> 'outputTokens')::bigint), 0) as output_tokens,
  coalesce(sum((used ->> 'usd')::numeric * 1000000), 0) as millionths, sum((used ->> 'seconds')::bigint) as seconds`
/** How runs ended, those that may go on left out. */
const endsOf = sql`
  count(*) filter (where outcome = 'delivered') as delivered,
  count(*) filter (where outcome = 'exited' and not gone_on) as exited,
  count(*) filter (where outcome = 'lost') as lost,
  count(*) filter (where outcome = 'cancelled' or status = 'cancelled') as cancelled,
  count(*) filter (where status in ('failed', 'expired')) as failed`
const usedBy = (of: RawBuilder<unknown>) =>
  sql`(select ${of} as of, ${sharesOf} from execution_requests where used is not null group by 1)`
const usedColumns = (row: 'm' | 'o') =>
  sql`(${sql.join(
    [
      'runs',
      'runs_without_usd',
      'runs_without_tokens',
      'input_tokens',
      'output_tokens',
      'millionths',
      'seconds',
    ].map((name) => sql.ref(`${row}.used_${name}`)),
  )})`
const sharesOr0 = sql`(${sql.join(
  [
    'runs',
    'without_usd',
    'without_tokens',
    'input_tokens',
    'output_tokens',
    'millionths',
    'seconds',
  ].map((name) => sql`coalesce(${sql.ref(`u.${name}`)}, 0)`),
)})`

/** What must hold whenever nobody writes, apart from what holds for run queues, as the rows that break it. */
const invariants: Record<string, RawBuilder<Broken>> = {
  'I-05 what is launching has one live request, to which nobody has attached': sql<Broken>`
    select o.id from objectives o
     where o.state = 'launching' and 1 <> (
       select count(*) from execution_requests r
        where r.workspace_id = o.workspace_id and r.objective_id = o.id and ${where.live('r')}
          and not exists (select from agent_sessions s
                           where s.workspace_id = r.workspace_id and s.execution_request_id = r.id
                             and s.generation = r.generation))`,
  'I-05 a live request is of an active objective that is there, or is being cancelled': sql<Broken>`
    select r.id from execution_requests r
      join objectives o on o.workspace_id = r.workspace_id and o.id = r.objective_id
     where ${where.live('r')} and (o.state not in ${active} or (o.deleted_at is not null and r.cancel_requested_at is null))`,
  'I-05 a request is recorded once, in the history and in the feed': sql<Broken>`
    select r.id from execution_requests r
      left join ${countOf(sql`data ->> 'executionRequestId'`, eventsOf('execution_requested'))} e
        on e.of = r.id::text
      left join ${countOf(sql`entity_id`, changesOf('execution_request', 'queue'))} c on c.of = r.id
     where e.n is distinct from 1 or c.n is distinct from 1`,
  'I-07 an objective has at most one live session, and only while it is executed': sql<Broken>`
    select s.objective_id as id from agent_sessions s
      join objectives o on o.workspace_id = s.workspace_id and o.id = s.objective_id
     where ${where.liveSession('s')}
     group by s.objective_id, o.state having count(*) > 1 or o.state <> 'executing'`,
  'I-07 what is executing has a session that has not ended': sql<Broken>`
    select o.id from objectives o
     where o.state = 'executing' and not exists (
       select from agent_sessions s
        where s.workspace_id = o.workspace_id and s.objective_id = o.id and ${where.unendedSession('s')})`,
  'I-08 what is complete has one delivery, which has ended its session and run': sql<Broken>`
    select o.id from objectives o
      left join deliveries d on d.workspace_id = o.workspace_id and d.objective_id = o.id
      left join agent_sessions s on s.workspace_id = d.workspace_id and s.id = d.session_id
      left join execution_requests r
        on r.workspace_id = s.workspace_id and r.id = s.execution_request_id
     group by o.workspace_id, o.id
    having count(d.id) <> case o.state when 'complete' then 1 else 0 end
        or (o.state = 'complete') <> (o.completed_at is not null)
        or bool_or(d.id is not null
             and (s.status, s.end_reason, s.phase, coalesce(r.outcome, 'delivered'))
                 is distinct from ('ended', 'delivered', 'review', 'delivered'))`,
  'I-08 a delivery is recorded in history, feed and outbox': sql<Broken>`
    select d.id from deliveries d
      left join ${countOf(sql`data ->> 'deliveryId'`, eventsOf('delivery'))} e on e.of = d.id::text
      left join ${countOf(sql`entity_id`, changesOf('delivery', 'deliver'))} c on c.of = d.id
      left join (
        select snapshot -> 'delivery' ->> 'id' as of, array_agg(type order by type) as types
          from webhook_events group by 1) w on w.of = d.id::text
     where e.n is distinct from 1 or c.n is distinct from 1
        or w.types is distinct from array['mission.delivered', 'objective.completed']`,
  'I-08 what is delivered has left nothing in the ledger': sql<Broken>`
    select b.batch_id as id from ledger_batches b
      join objectives o on o.workspace_id = b.workspace_id and o.id = b.objective_id
     where b.drained_at is null and o.state = 'complete'`,
  'I-09 each event has its transition, and each transition its event': sql<Broken>`
    select coalesce(e.mission_id, c.mission_id) as id from (
      select mission_id, type, count(*) as n from webhook_events
       where type in (${sql.join(publishing().map(({ type }) => sql.lit(type)))}) group by 1, 2) e
      full join (
        select mission_id, kind.type, count(*) as n from entity_changes
          join (values ${sql.join(publishing().map(({ row }) => row))}) as kind (type, entity, operations)
            on kind.entity = entity_changes.entity and operation = any(kind.operations)
         group by 1, 2) c on c.mission_id = e.mission_id and c.type = e.type
     where e.n is distinct from c.n`,
  'I-09 an entry of the history is one line of the feed': sql<Broken>`
    select e.id from mission_events e
      left join ${countOf(sql`entity_id`, sql`entity_changes where entity = 'mission_event'`)} c
        on c.of = e.id
     where c.n is distinct from 1`,
  'I-09 an event that is not handed on has its job': sql<Broken>`
    select w.id from webhook_events w left join pgboss.job j on j.id = w.id
     where w.fanned_out_at is null and j.id is null`,
  'I-09 the newest line of the feed says what a thing has become': sql<Broken>`
    select c.entity_id as id from (
      select distinct on (workspace_id, entity, entity_id) workspace_id, entity, entity_id,
             coalesce(data ->> 'state', data ->> 'status') as recorded
        from entity_changes
       where entity in ('objective', 'execution_request', 'question')
         and (data ? 'state' or data ? 'status')
       order by workspace_id, entity, entity_id, seq desc) c
      left join objectives o on o.workspace_id = c.workspace_id and o.id = c.entity_id
      left join execution_requests r on r.workspace_id = c.workspace_id and r.id = c.entity_id
      left join questions q on q.workspace_id = c.workspace_id and q.id = c.entity_id
     where c.recorded is distinct from coalesce(o.state, r.status, q.status)
       -- a deletion takes them with it, and a restored one begins as a draft
       and o.deleted_at is null`,
  'I-15 positions are 1 to n, and what has started comes first': sql<Broken>`
    select mission_id as id from objectives where deleted_at is null
     group by workspace_id, mission_id
    having min(position) <> 1 or max(position) <> count(*) or count(distinct position) <> count(*)
        or max(position) filter (where ${where.started()})
           > min(position) filter (where not ${where.started()})`,
  'I-16 what is deleted works no more, or is asked to end': sql<Broken>`
    select o.id from objectives o
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
     where (o.deleted_at is not null or m.deleted_at is not null)
       and (o.position is not null or o.deleted_at is null
            or o.state in ${active} and not exists (
                 select from execution_requests r
                  where r.workspace_id = o.workspace_id and r.objective_id = o.id
                    and ${where.live('r')} and r.cancel_requested_at is not null))`,
  'I-17 each revision of an artifact is recorded once': sql<Broken>`
    select a.id from artifacts a
      left join ${countOf(sql`entity_id`, changesOf('artifact', 'update'))} c on c.of = a.id
     where a.revision <> 1 + coalesce(c.n, 0)`,
  'I-18 display ids are unique': sql<Broken>`
    select mission_id as id from objectives group by workspace_id, mission_id, key having count(*) > 1`,
  'I-23 a delivery advances at most once': sql<Broken>`
    select advanced_by_delivery_id as id from execution_requests
     where advanced_by_delivery_id is not null group by advanced_by_delivery_id having count(*) > 1`,
  'I-24 a key that is kept has its answer': sql<Broken>`
    select encode(key_hash, 'hex') as id from idempotency_keys
     where answer is null and answer_secret is null
       and created_at > app.now() - interval '9 minutes'`,
  'R what is over has ended, and what waits has not': sql<Broken>`
    select id from execution_requests
     where (status in ('failed', 'cancelled', 'expired') and ended_at is null)
        or (status = 'queued' and (ended_at is not null or lease_expires_at is not null))`,
  'R what goes on with a run is of its objective, after it, and for its machine': sql<Broken>`
    select r.id from execution_requests r
      left join execution_requests was
        on was.workspace_id = r.workspace_id and was.id = r.resume_of
      left join runners m on m.workspace_id = was.workspace_id and m.id = was.runner_id
     where (r.kind = 'resume') <> (was.id is not null)
        or r.objective_id <> was.objective_id or r.seq <= was.seq
        or r.only_device is distinct from m.fingerprint`,
  'U a question that is pending has its session, which waits for it': sql<Broken>`
    select q.id from questions q
      join agent_sessions s on s.workspace_id = q.workspace_id and s.id = q.session_id
     where q.status in ${pending} and s.status not in ('waiting_answer', 'lost')`,
  'U a session that waits has its question': sql<Broken>`
    select s.id from agent_sessions s
     where s.status = 'waiting_answer' and not exists (
       select from questions q
        where q.workspace_id = s.workspace_id and q.session_id = s.id and q.status in ${pending})`,
  'U open questions are counted': sql<Broken>`
    select m.id from missions m
      left join ${countOf(sql`mission_id`, sql`questions where status = 'open'`)} q on q.of = m.id
     where m.open_questions <> coalesce(q.n, 0)`,
  'I-30 a run whose agent was started or could not be, and that is over or lost, counts': sql<Broken>`
    select id from execution_requests
     where used is null and (started_at is not null or status = 'failed')
       and (ended_at is not null or outcome = 'lost')`,
  'I-30 an objective has used what its runs have': sql<Broken>`
    select o.id from objectives o left join ${usedBy(sql`objective_id`)} u on u.of = o.id
     where ${usedColumns('o')} is distinct from ${sharesOr0}`,
  'I-30 a mission has used what its runs have': sql<Broken>`
    select m.id from missions m left join ${usedBy(sql`mission_id`)} u on u.of = m.id
     where ${usedColumns('m')} is distinct from ${sharesOr0}`,
  'I-30 a week has used what the runs have that were launched in it': sql<Broken>`
    select coalesce(w.project_id, r.project_id) as id from usage_weeks w
      full join (
        select workspace_id, project_id, agent, coalesce(config -> 'model' ->> 'value', '') as model,
               date_trunc('week', created_at, 'UTC') as week, ${sharesOf}, ${endsOf}
          from execution_requests where used is not null group by 1, 2, 3, 4, 5) r
        using (workspace_id, project_id, agent, model, week)
     where (w.runs, w.runs_without_usd, w.runs_without_tokens, w.input_tokens, w.output_tokens, w.millionths, w.seconds,
            w.runs_delivered, w.runs_exited, w.runs_lost, w.runs_cancelled, w.runs_failed)
           is distinct from
           (r.runs, r.without_usd, r.without_tokens, r.input_tokens, r.output_tokens, r.millionths, r.seconds,
            r.delivered, r.exited, r.lost, r.cancelled, r.failed)`,
  'I-30 the launches of a mission are counted': sql<Broken>`
    select m.id from missions m
      left join ${countOf(sql`mission_id`, sql`execution_requests where runner_id is not null or ended_at is null`)} l
        on l.of = m.id
     where m.launches <> coalesce(l.n, 0)`,
  ...needsInvariants,
}

/** For each published event type the triggers that publish it, as the feed names them. */
function publishing() {
  const operations = new Map<string, string[]>()
  for (const [trigger, row] of Object.entries(objectiveLifecycle)) {
    const types: readonly string[] = 'publishes' in row ? row.publishes : []
    for (const type of types) operations.set(type, [...(operations.get(type) ?? []), trigger])
  }
  const rows = [...operations].map(([type, triggers]) => ({ type, entity: 'objective', triggers }))
  rows.push({ type: 'mission.status_changed', entity: 'mission', triggers: ['status'] })
  return rows.map(({ type, entity, triggers }) => {
    const named = sql.join(triggers.map((one) => sql.lit(one)))
    return { type, row: sql`(${sql.lit(type)}, ${sql.lit(entity)}, array[${named}])` }
  })
}

/** The checks in several short statements with parameters, so that the service's connections keep them prepared. */
const perStatement = 8
const entries = Object.entries(invariants)
const statements = Array.from({ length: Math.ceil(entries.length / perStatement) }, (_, index) => {
  const part = entries.slice(index * perStatement, (index + 1) * perStatement)
  const selects = part.map(
    ([invariant, broken]) =>
      sql`select ${invariant}::text as invariant, id::text from (${broken}) as broken`,
  )
  return sql<Broken & { invariant: string }>`${sql.join(selects, sql` union all `)}`
})

/** What is broken, by the name of the invariant. Nobody may write meanwhile. */
export async function findBroken(db: Queryable): Promise<(Broken & { invariant: string })[]> {
  const broken = await findViolations(db)
  for (const statement of statements) broken.push(...(await statement.execute(db)).rows)
  return broken
}

export async function expectInvariants(db: Queryable): Promise<void> {
  const broken = await findBroken(db)
  if (broken.length === 0) return
  const lines = broken.slice(0, 20).map(({ invariant, id }) => `${invariant}: ${id}`)
  throw new Error(`What must hold does not:\n${lines.join('\n')}`)
}
