import { objectiveLifecycle } from '@svc/domain/lifecycle/table'
import { findViolations } from '@svc/domain/run-queues/invariants'
import { where } from '@svc/domain/lifecycle/states'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { Violation } from './command.ts'

interface Broken {
  id: string
}

const pending = sql`('open', 'answered')`
const active = sql`('launching', 'executing')`

/** What must hold at every moment, beside what holds of run queues, as the rows that break it. */
const invariants: Record<string, RawBuilder<Broken>> = {
  'I-05 what is launching has one live request, to which nobody has attached': sql<Broken>`
    select o.id from objectives o
     where o.state = 'launching' and 1 <> (
       select count(*) from execution_requests r
        where r.workspace_id = o.workspace_id and r.objective_id = o.id and ${where.live('r')}
          and not exists (select from agent_sessions s
                           where s.workspace_id = r.workspace_id and s.execution_request_id = r.id
                             and s.generation = r.generation))`,
  'I-05 a live request has an active objective': sql<Broken>`
    select r.id from execution_requests r
      join objectives o on o.workspace_id = r.workspace_id and o.id = r.objective_id
     where ${where.live('r')} and (o.state not in ${active} or o.deleted_at is not null)`,
  'I-07 an objective has at most one live session, and only while it is executed': sql<Broken>`
    select s.objective_id as id from agent_sessions s
      join objectives o on o.workspace_id = s.workspace_id and o.id = s.objective_id
     where ${where.liveSession('s')}
     group by s.objective_id, o.state having count(*) > 1 or o.state <> 'executing'`,
  'I-07 what is executing has a session that has not ended': sql<Broken>`
    select o.id from objectives o
     where o.state = 'executing' and not exists (
       select from agent_sessions s
        where s.workspace_id = o.workspace_id and s.objective_id = o.id and s.status <> 'ended')`,
  'I-08 a delivery is there with all its effects, and none without it': sql<Broken>`
    select o.id from objectives o
     where (o.state = 'complete') <> (o.completed_at is not null)
        or (o.state = 'complete') <> exists (
             select from deliveries d
               join agent_sessions s on s.workspace_id = d.workspace_id and s.id = d.session_id
              where d.workspace_id = o.workspace_id and d.objective_id = o.id
                and s.status = 'ended' and s.end_reason = 'delivered' and s.phase = 'review'
                and (s.execution_request_id is null or exists (
                  select from execution_requests r
                   where r.workspace_id = s.workspace_id and r.id = s.execution_request_id
                     and r.outcome = 'delivered')))
        or (select count(*) from deliveries d
             where d.workspace_id = o.workspace_id and d.objective_id = o.id) > 1
        or (select count(*) from deliveries d
             where d.workspace_id = o.workspace_id and d.objective_id = o.id) <> (
           select count(*) from mission_events e
            where e.workspace_id = o.workspace_id and e.objective_id = o.id and e.type = 'delivery')`,
  'I-09 each event has its transition, and each transition its event': sql<Broken>`
    select m.id from missions m
      cross join (values ${sql.join(publishing())}) as kind (type, operations)
     where (select count(*) from webhook_event e
             where e.workspace_id = m.workspace_id and e.mission_id = m.id and e.type = kind.type)
        <> (select count(*) from entity_changes c
             where c.workspace_id = m.workspace_id and c.mission_id = m.id
               and c.entity = 'objective' and c.operation = any(kind.operations))`,
  'I-09 a change of status is told': sql<Broken>`
    select m.id from missions m
     where (select count(*) from webhook_event e
             where e.workspace_id = m.workspace_id and e.mission_id = m.id
               and e.type = 'mission.status_changed')
        <> (select count(*) from entity_changes c
             where c.workspace_id = m.workspace_id and c.mission_id = m.id
               and c.entity = 'mission' and c.operation = 'status')`,
  'I-09 each event has its job': sql<Broken>`
    select e.id from webhook_event e
     where not exists (select from pgboss.job j
                        where j.name = 'webhook.event' and j.data ->> 'eventId' = e.id::text)`,
  'I-15 positions are 1 to n, and what has started comes first': sql<Broken>`
    select mission_id as id from objectives where deleted_at is null
     group by workspace_id, mission_id
    having min(position) <> 1 or max(position) <> count(*) or count(distinct position) <> count(*)
        or coalesce(max(position) filter (where ${where.started()}), 0)
           > coalesce(min(position) filter (where not ${where.started()}), 1000)`,
  'I-16 what is deleted works no more': sql<Broken>`
    select o.id from objectives o
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
     where (o.deleted_at is not null or m.deleted_at is not null)
       and (o.state in ${active} or o.position is not null or o.deleted_at is null)`,
  'I-18 display ids are unique': sql<Broken>`
    select mission_id as id from objectives group by workspace_id, mission_id, key having count(*) > 1`,
  'I-23 a delivery advances at most once': sql<Broken>`
    select advanced_by_delivery_id as id from execution_requests
     where advanced_by_delivery_id is not null group by advanced_by_delivery_id having count(*) > 1`,
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
     where m.open_questions <> (select count(*) from questions q
        where q.workspace_id = m.workspace_id and q.mission_id = m.id and q.status = 'open')`,
  'R what is over has ended, and what waits has not': sql<Broken>`
    select id from execution_requests
     where (status in ('failed', 'cancelled', 'expired') and ended_at is null)
        or (status = 'queued' and (ended_at is not null or lease_expires_at is not null))`,
}

/** Of each published type the triggers of the lifecycle table that publish it. */
function publishing() {
  const operations = new Map<string, string[]>()
  for (const [trigger, row] of Object.entries(objectiveLifecycle)) {
    const types: readonly string[] = 'publishes' in row ? row.publishes : []
    for (const type of types) operations.set(type, [...(operations.get(type) ?? []), trigger])
  }
  return [...operations].map(([type, triggers]) => {
    return sql`(${sql.lit(type)}, array[${sql.join(triggers.map((one) => sql.lit(one)))}])`
  })
}

/** In parts that are short, and with parameters, so that the service's connections keep them prepared. */
const perStatement = 8
const entries = Object.entries(invariants)
const statements = Array.from({ length: Math.ceil(entries.length / perStatement) }, (_, index) => {
  const part = entries.slice(index * perStatement, (index + 1) * perStatement)
  const selects = part.map(
    ([invariant, broken]) =>
      sql`select ${invariant}::text as invariant, id from (${broken}) as broken`,
  )
  return sql<Broken & { invariant: string }>`${sql.join(selects, sql` union all `)}`
})

export async function checkInvariants(db: Queryable): Promise<void> {
  const broken = await findViolations(db)
  for (const statement of statements) broken.push(...(await statement.execute(db)).rows)
  const [first] = broken
  if (first)
    throw new Violation(first.invariant, `broken by ${broken.map(({ id }) => id).join(', ')}`)
}
