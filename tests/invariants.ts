import type { Queryable } from '@svc/db/database'
import { where } from '@svc/domain/lifecycle/states'
import { findViolations } from '@svc/domain/run-queues/invariants'
import { type RawBuilder, sql } from 'kysely'

type Broken = RawBuilder<{ id: string }>

const eventsOf = (workspace: string, type: string) =>
  sql`mission_events where workspace_id = ${workspace} and type = ${type}`
const changesOf = (workspace: string, entity: string, operation: string) => sql`
  entity_changes where workspace_id = ${workspace} and entity = ${entity} and operation = ${operation}`
/** How many of these rows tell of each thing: read once, whatever there is to compare it with. */
const countOf = (of: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
  sql`(select ${of} as of, count(*) as n from ${rows} group by 1)`

/** What must hold of a workspace whenever nobody writes in it, as the rows that break it. */
const invariantsOf = (workspace: string): Record<string, Broken> => ({
  'I-05 what is launching has one live request, which no session works for': sql`
    select o.id from objectives o
     where o.workspace_id = ${workspace} and o.state = 'launching' and (
       (select count(*) from execution_requests r
         where r.workspace_id = o.workspace_id and r.objective_id = o.id and ${where.live('r')}) <> 1
       or exists (
         select from agent_sessions s
          where s.workspace_id = o.workspace_id and s.objective_id = o.id
            and ${where.liveSession('s')}))`,
  'I-05 a live request is of an objective that is there and that it has moved': sql`
    select r.id from execution_requests r
      join objectives o on o.workspace_id = r.workspace_id and o.id = r.objective_id
      join missions m on m.workspace_id = r.workspace_id and m.id = r.mission_id
     where r.workspace_id = ${workspace} and ${where.live('r')}
       and (o.deleted_at is not null or m.deleted_at is not null
         or o.state not in ('launching', 'executing'))`,
  'I-05 a request is told of once, in the history and in the feed': sql`
    select r.id from execution_requests r
      left join ${countOf(sql`data ->> 'executionRequestId'`, eventsOf(workspace, 'execution_requested'))} e
        on e.of = r.id::text
      left join ${countOf(sql`entity_id`, changesOf(workspace, 'execution_request', 'queue'))} c
        on c.of = r.id
     where r.workspace_id = ${workspace} and (e.n is distinct from 1 or c.n is distinct from 1)`,
  'I-07 what is executing has a session that has not ended, and one alone that lives': sql`
    select o.id from objectives o
      left join agent_sessions s
        on s.workspace_id = o.workspace_id and s.objective_id = o.id and s.status <> 'ended'
     where o.workspace_id = ${workspace} and o.state = 'executing'
     group by o.id
    having count(s.id) = 0 or count(s.id) filter (where ${where.liveSession('s')}) > 1`,
  'I-08 what is complete has one delivery, and that has ended its session': sql`
    select o.id from objectives o
      left join deliveries d on d.workspace_id = o.workspace_id and d.objective_id = o.id
      left join agent_sessions s on s.workspace_id = d.workspace_id and s.id = d.session_id
     where o.workspace_id = ${workspace}
     group by o.id, o.state
    having count(d.id) <> case o.state when 'complete' then 1 else 0 end
        or bool_or(d.id is not null and s.end_reason is distinct from 'delivered')`,
  'I-08 a delivery is told of in history, feed and outbox': sql`
    select d.id from deliveries d
      left join ${countOf(sql`data ->> 'deliveryId'`, eventsOf(workspace, 'delivery'))} e
        on e.of = d.id::text
      left join ${countOf(sql`entity_id`, changesOf(workspace, 'delivery', 'deliver'))} c on c.of = d.id
      left join (
        select snapshot -> 'delivery' ->> 'id' as of, array_agg(type order by type) as types
          from webhook_event where workspace_id = ${workspace} group by 1) w on w.of = d.id::text
     where d.workspace_id = ${workspace}
       and (e.n is distinct from 1 or c.n is distinct from 1
         or w.types is distinct from array['mission.delivered', 'objective.completed'])`,
  'I-09 an entry of the history is one line of the feed': sql`
    select e.id from mission_events e
      left join (
        select entity_id as of, count(*) as n from entity_changes
         where workspace_id = ${workspace} and entity = 'mission_event' group by 1) c on c.of = e.id
     where e.workspace_id = ${workspace} and c.n is distinct from 1`,
  'I-09 an event that is not handed on has its job': sql`
    select w.id from webhook_event w left join pgboss.job j on j.id = w.id
     where w.workspace_id = ${workspace} and w.fanned_out_at is null and j.id is null`,
  'I-09 the newest line of the feed says what a thing has become': sql`
    select c.entity_id as id from (
      select distinct on (entity, entity_id) entity, entity_id,
             coalesce(data ->> 'state', data ->> 'status') as told
        from entity_changes
       where workspace_id = ${workspace} and entity in ('objective', 'execution_request', 'question')
         and (data ? 'state' or data ? 'status')
       order by entity, entity_id, seq desc) c
      left join objectives o on o.workspace_id = ${workspace} and o.id = c.entity_id
      left join execution_requests r on r.workspace_id = ${workspace} and r.id = c.entity_id
      left join questions q on q.workspace_id = ${workspace} and q.id = c.entity_id
     where c.told is distinct from coalesce(o.state, r.status, q.status)
       -- a deletion takes them with it, and a restored one begins as a draft
       and o.deleted_at is null`,
  'I-15 places are 1 to n, started objectives before future ones': sql`
    select mission_id as id from objectives
     where workspace_id = ${workspace} and deleted_at is null
     group by mission_id
    having min(position) <> 1 or max(position) <> count(*) or count(distinct position) <> count(*)
        or max(position) filter (where ${where.started()})
           > min(position) filter (where not ${where.started()})`,
  'I-16 what is deleted has no place, and nobody works on it': sql`
    select o.id from objectives o
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
     where o.workspace_id = ${workspace} and (o.deleted_at is not null or m.deleted_at is not null)
       and (o.position is not null or o.deleted_at is null or exists (
         select from agent_sessions s
          where s.workspace_id = o.workspace_id and s.objective_id = o.id
            and ${where.liveSession('s')}))`,
  'I-24 a key that is kept has its answer': sql`
    select encode(key_hash, 'hex') as id from idempotency_keys
     where workspace_id = ${workspace} and answer is null and answer_secret is null
       and created_at > app.now() - interval '9 minutes'`,
  'a session waits for an answer while it has a pending question, and counts it': sql`
    select m.id from missions m
     where m.workspace_id = ${workspace} and (
       m.open_questions <> (
         select count(*) from questions q
          where q.workspace_id = m.workspace_id and q.mission_id = m.id and q.status = 'open')
       or exists (
         select from agent_sessions s
           left join questions q on q.workspace_id = s.workspace_id and q.session_id = s.id
                and q.status in ('open', 'answered')
          where s.workspace_id = m.workspace_id and s.mission_id = m.id
            and case when q.id is null then s.status = 'waiting_answer' else s.status = 'ended' end))`,
})

/** Throws what is broken, by the name of the invariant and the ids. Nobody may write meanwhile. */
export async function expectInvariants(db: Queryable, workspaceId: string): Promise<void> {
  const parts = Object.entries(invariantsOf(workspaceId)).map(
    ([name, broken]) => sql`select ${name}::text as invariant, id::text from (${broken}) as broken`,
  )
  const { rows } = await sql<{ invariant: string; id: string }>`
    ${sql.join(parts, sql` union all `)} limit 20`.execute(db)
  const violations = [...(await findViolations(db)), ...rows]
  if (violations.length === 0) return
  const told = violations.map(({ invariant, id }) => `${invariant}: ${id}`)
  throw new Error(`What must hold does not:\n${told.join('\n')}`)
}
