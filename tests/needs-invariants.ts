import { closedTypes } from '@svc/contracts/states'
import { objectiveLifecycle } from '@svc/domain/states/table'
import { type RawBuilder, sql } from 'kysely'

const literals = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)))

const isOpen = sql`s.type not in (${literals(closedTypes)})`

/** Objectives that are there, in missions that are open. */
const objectives = sql`
  objectives o
  join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
  join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id`

/**
 * What last moved each objective, or was a word about all of its mission: `stops` where a run of it came to nothing. The
 * feed has each move under its trigger, in the order in which a mission's lock was held.
 */
const lastWords = sql`(
  select distinct on (o.id) o.id, c.operation in ('launchFail', 'exit', 'lose') as stops
    from objectives o
    join (
      select mission_id, entity, entity_id, operation, seq,
             entity = 'mission' and operation = 'status'
               and (data ->> 'phase' in (${literals(closedTypes)}))
                   = coalesce(lag(data ->> 'phase') over (
                       partition by entity, entity_id, operation order by seq) in (${literals(closedTypes)}), false)
               as stays
        from entity_changes where entity in ('objective', 'mission')) c
      on (c.entity = 'objective' and c.entity_id = o.id
          and c.operation in (${literals(Object.keys(objectiveLifecycle))}, 'delete'))
      or (c.entity = 'mission' and c.entity_id = o.mission_id
          and c.operation in ('status', 'delete', 'restore') and not c.stays)
   order by o.id, c.seq desc)`

const ofObjectives = (kind: string, isSo: RawBuilder<unknown>) => sql`
  select ${sql.lit(kind)} as kind, o.id, o.addressed_to from ${objectives}
   where o.deleted_at is null and m.deleted_at is null and ${isOpen} and ${isSo}`

export interface Cause {
  kind: string
  id: string
  /** Whom it concerns; null: nobody in particular. */
  addressed_to: string | null
}

/** What waits for a person until somebody does something: the things themselves, and not what is kept to find them by. */
export const needsCauses = sql<Cause>`
  select 'question' as kind, q.id, q.addressed_to from questions q
    join objectives o on o.workspace_id = q.workspace_id and o.id = q.objective_id
    join missions m on m.workspace_id = q.workspace_id and m.id = q.mission_id
   where q.status = 'open' and o.deleted_at is null and m.deleted_at is null
  union all
  select 'review', m.id, m.addressed_to from missions m
    join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
   where s.type = 'review' and m.deleted_at is null
  union all (${ofObjectives('approval', sql`o.state = 'awaiting_approval'`)})
  union all (${ofObjectives(
    'stopped_run',
    sql`o.state <> 'awaiting_approval' and exists (select from ${lastWords} l where l.id = o.id and l.stops)
        and not exists (select from run_queue_entries e where e.objective_id = o.id)`,
  )})
  union all
  select 'held_entry', id, coalesce(turn_granted_by, queued_by) from run_queue_entries where state = 'held'
  union all
  select 'paused_queue', q.id, q.addressed_to from run_queues q
   where q.paused_at is not null
     and exists (select from run_queue_entries e where e.run_queue_id = q.id and e.state = 'waiting')`

/** What waits for a person is found by columns of its own, and these say what its causes say. */
export const needsInvariants: Record<string, RawBuilder<{ id: string }>> = {
  'I-33 what awaits approval in an open mission needs a person': sql`
    select o.id from ${objectives}
     where (o.state = 'awaiting_approval' and o.deleted_at is null and ${isOpen})
           <> (o.need is not distinct from 'awaiting_approval')`,
  'I-33 what came to nothing needs a person until somebody has a word about it': sql`
    select o.id from ${objectives} left join ${lastWords} l on l.id = o.id
     where (coalesce(l.stops, false) and o.state <> 'awaiting_approval' and o.deleted_at is null and ${isOpen})
           <> (o.need is not distinct from 'stopped')`,
  'I-33 a mission is in review since some time exactly while it is': sql`
    select m.id from missions m
      join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
     where (s.type = 'review') <> (m.in_review_since is not null)`,
  'I-33 an entry is held since some time exactly while it is': sql`
    select id from run_queue_entries where (state = 'held') <> (held_since is not null)`,
  'I-33 what is being worked on, and what it asks, is addressed to who launched it or brought its agent': sql`
    select o.id from objectives o
      join execution_requests r on r.workspace_id = o.workspace_id and r.objective_id = o.id
      left join questions q on q.workspace_id = o.workspace_id and q.objective_id = o.id and q.status = 'open'
     where r.status in ('claimed', 'launching', 'queued') and r.ended_at is null
       and o.state = 'launching' and o.addressed_to is distinct from r.requested_by
        or q.id is not null and q.addressed_to is null`,
}
