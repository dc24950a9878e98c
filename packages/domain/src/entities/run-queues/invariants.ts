import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'
import { where } from '../../states/states.ts'

interface Broken {
  /** The queue, entry, mission or objective that breaks it. */
  id: string
}

interface Invariant {
  broken: RawBuilder<Broken>
  /** The index or loop that keeps it already, so that nobody needs to look again and again. */
  keptBy?: string
}

/**
 * What must hold of run queues at every moment, as the rows that break it. What speaks of a step and not of a state
 * (what ends a hold, what a poll does, what the end of a run does) is for the tests to show.
 */
const queueInvariants: Record<string, Invariant> = {
  'Q-01 an objective has at most one live entry': {
    keptBy: 'run_queue_entries_workspace_id_objective_id_key',
    broken: sql<Broken>`
    select objective_id as id from run_queue_entries
     group by workspace_id, objective_id having count(*) > 1`,
  },
  'Q-02 a queue has at most one entry in flight': {
    keptBy: 'run_queue_entries_one_in_flight',
    broken: sql<Broken>`
    select run_queue_id as id from run_queue_entries where state in ('dispatched', 'running')
     group by workspace_id, run_queue_id having count(*) > 1`,
  },
  'Q-03 a serial mission has at most one slot holder': {
    keptBy: 'objectives_one_active',
    broken: sql<Broken>`
    select mission_id as id from objectives where state in ('launching', 'executing') and serial
     group by workspace_id, mission_id having count(*) > 1`,
  },
  'Q-04 an entry is dispatched or running as its request and objective are': {
    broken: sql<Broken>`
    select e.id from run_queue_entries e
      join objectives o on o.workspace_id = e.workspace_id and o.id = e.objective_id
     where case e.state
             when 'dispatched' then o.state <> 'launching' or not exists (
               select from execution_requests r
                where r.workspace_id = e.workspace_id and r.id = e.execution_request_id
                  and ${where.live('r')})
             when 'running' then o.state <> 'executing'
             else o.state in ('launching', 'executing') end`,
  },
  'Q-05 a paused queue creates no request': {
    broken: sql<Broken>`
    select q.id from run_queues q
      join run_queue_entries e on e.workspace_id = q.workspace_id and e.run_queue_id = q.id
      join execution_requests r on r.workspace_id = e.workspace_id and r.id = e.execution_request_id
     where r.source = 'run_queue' and r.created_at > q.paused_at`,
  },
  'Q-06 a dispatch makes at most one request': {
    keptBy: 'execution_requests_one_dispatch',
    broken: sql<Broken>`
    select run_queue_entry_id as id from execution_requests where run_queue_entry_id is not null
     group by workspace_id, run_queue_entry_id, run_queue_attempt having count(*) > 1`,
  },
  'Q-07 positions are a total order': {
    broken: sql<Broken>`
    select run_queue_id as id from run_queue_entries group by workspace_id, run_queue_id
    having min(position) <> 1 or max(position) <> count(*)
        or count(distinct position) <> count(*)`,
  },
  'Q-09 no advance is pending where nobody waits': {
    broken: sql<Broken>`
    select q.id from run_queues q
     where q.advance_pending_since is not null and not exists (
       select from run_queue_entries e
        where e.workspace_id = q.workspace_id and e.run_queue_id = q.id and e.state = 'waiting')`,
  },
  'Q-10 what is complete or deleted has no live entry': {
    broken: sql<Broken>`
    select e.id from run_queue_entries e
      join objectives o on o.workspace_id = e.workspace_id and o.id = e.objective_id
      join missions m on m.workspace_id = e.workspace_id and m.id = e.mission_id
     where o.state = 'complete' or o.deleted_at is not null or m.deleted_at is not null`,
  },
  'Q-12 what is launching has a live request': {
    keptBy: 'sweep',
    broken: sql<Broken>`
    select o.id from objectives o
     where o.state = 'launching' and not exists (
       select from execution_requests r
        where r.workspace_id = o.workspace_id and r.objective_id = o.id and ${where.live('r')})`,
  },
}

export interface Violation extends Broken {
  invariant: string
}

const mostListed = 20

/** None, when all is as it should be; of all of them, or of those that nothing else keeps. */
export async function findViolations(
  db: Queryable,
  which: 'all' | 'kept by nothing else' = 'all',
): Promise<Violation[]> {
  const asked = Object.entries(queueInvariants).filter(
    ([, { keptBy }]) => which === 'all' || keptBy === undefined,
  )
  const parts = asked.map(
    ([invariant, { broken }]) =>
      sql`select ${invariant}::text as invariant, id from (${broken}) as broken`,
  )
  const { rows } = await sql<Violation>`
    ${sql.join(parts, sql` union all `)} limit ${mostListed}`.execute(db)
  return rows
}
