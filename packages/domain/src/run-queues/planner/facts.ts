import type { StatusType } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { ObjectiveRow, ProjectResourceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { memberMay } from '../../access/member-may.ts'
import { activeStates } from '../../states/states.ts'
import { type Budgeted, needsCost, selectTelling } from '../../entities/objectives/launch-budget.ts'
import { type Before, inheritChoice } from '../../entities/objectives/launch-config.ts'
import { connectedSeconds } from '../../entities/projects/resources.ts'
import type { EntryFacts, Facts } from './plan.ts'
import type { Queue } from '../../entities/run-queues/queue.ts'

/** What the plan of a queue is made from, as it is now. */
export async function readFacts(db: Queryable, queue: Queue): Promise<Facts> {
  const found = await gather(db, {
    entries: selectEntries(queue),
    resources: selectResources(queue),
  })
  const entries = found.entries.map(({ entry_id, ...row }) => {
    const { status_type: statusType, busy_with: busyWith, before, budgeted, may } = row
    const facts = {
      objective: row,
      statusType,
      busyWith,
      before: before ?? undefined,
      budgeted,
      may,
    }
    return [entry_id, facts] as const
  })
  const facts = { entries: new Map(entries), resources: found.resources }
  return { ...facts, telling: await findTelling(db, queue, [...facts.entries.values()]) }
}

/** Asked only where it decides, which is seldom. */
async function findTelling(
  db: Queryable,
  { row }: Queue,
  entries: readonly EntryFacts[],
): Promise<ReadonlySet<string>> {
  const agents = entries.flatMap(({ objective, before, budgeted }) => {
    const agent = inheritChoice(objective, before)?.agent
    return agent !== undefined && needsCost(budgeted, agent) ? [agent] : []
  })
  if (agents.length === 0) return new Set()
  const { rows } = await selectTelling(row.workspace_id, agents).execute(db)
  return new Set(rows.map(({ agent }) => agent))
}

interface EntryRow extends Pick<
  ObjectiveRow,
  'blank' | 'assigned_agent' | 'model' | 'reasoning_effort' | 'resource_key'
> {
  entry_id: string
  status_type: StatusType
  busy_with: string | null
  before: Before | null
  budgeted: Budgeted
  may: boolean
}

function selectEntries({ row }: Queue) {
  return sql<EntryRow>`
    select e.id as entry_id, o.blank, o.assigned_agent, o.model, o.reasoning_effort, o.resource_key,
           s.type as status_type,
           (select a.id from objectives a
             where a.workspace_id = m.workspace_id and a.mission_id = m.id and a.id <> o.id
               and a.state = any(${activeStates}) and not m.allow_parallel_objectives
             limit 1) as busy_with,
           (select jsonb_build_object('agent', r.agent, 'model', d.model,
                                      'reasoning_effort', d.reasoning_effort)
              from execution_requests r
              join objectives d on d.workspace_id = r.workspace_id and d.id = r.objective_id
             where r.workspace_id = m.workspace_id and r.mission_id = m.id
               and r.outcome = 'delivered'
             order by r.created_at desc, r.seq desc limit 1) as before,
           (select to_jsonb(b) from (
              select m.budget_millionths, m.budget_tokens, m.budget_runs, m.launches, m.used_runs,
                     m.used_runs_without_usd, m.used_runs_without_tokens, m.used_input_tokens,
                     m.used_output_tokens, m.used_millionths, m.used_seconds) b) as budgeted,
           ${memberMay('execution_request:create', {
             workspaceId: sql`e.workspace_id`,
             userId: sql`coalesce(e.turn_granted_by, e.queued_by)`,
           })} as may
      from run_queue_entries e
      join objectives o on o.workspace_id = e.workspace_id and o.id = e.objective_id
      join missions m on m.workspace_id = e.workspace_id and m.id = e.mission_id
      join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
     where e.workspace_id = ${row.workspace_id} and e.run_queue_id = ${row.id}
       and o.deleted_at is null and m.deleted_at is null`
}

function selectResources({ row }: Queue) {
  return sql<ProjectResourceRow & { connected: boolean }>`
    select pr.*, exists (
             select from runner_resources h
               join runners r on r.workspace_id = h.workspace_id and r.id = h.runner_id
              where h.workspace_id = pr.workspace_id and h.project_id = pr.project_id
                and h.resource_key = pr.resource_key and h.state = 'usable'
                and r.removed_at is null
                and r.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})
           ) as connected
      from project_resources pr
     where pr.workspace_id = ${row.workspace_id} and pr.project_id = ${row.project_id}
     order by pr.resource_key`
}
