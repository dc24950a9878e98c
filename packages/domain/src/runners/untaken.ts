import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { ableRunners } from '../entities/execution-requests/able-runners.ts'

/** For so long a request waits, and no runner that could take it is heard of, before a person is needed. */
const patienceSeconds = 300

interface Asked {
  /** Left out: all workspaces. */
  workspaceId?: string
  /** Over `e`, the requests. */
  isWanted: RawBuilder<unknown>
  most: number
}

type Untaken = Pick<ExecutionRequestRow, 'workspace_id' | 'id' | 'created_at'>

/**
 * Launches that no runner can take. Partitions are looked at one by one, since what is queued in one needs the same: their
 * number, and not that of the requests, is what a look costs. A request that goes on with a run needs its machine, too.
 */
export function selectUntaken({ workspaceId, isWanted, most }: Asked): RawBuilder<Untaken> {
  const within = workspaceId === undefined ? sql`true` : sql`e.workspace_id = ${workspaceId}`
  const isUntaken = sql<boolean>`e.status = 'queued' and ${isWanted}
    and e.run_after < app.now() - make_interval(secs => ${patienceSeconds})
    and (select m.deleted_at is null from missions m
          where m.workspace_id = e.workspace_id and m.id = e.mission_id)
    and (select o.deleted_at is null from objectives o
          where o.workspace_id = e.workspace_id and o.id = e.objective_id)`
  const inPartition = sql`e.workspace_id = part.workspace_id and e.project_id = part.project_id
    and e.agent = part.agent and coalesce(e.resource_key, '') = part.resource_key
    and coalesce(e.only_runner, '') = part.only_runner`
  return sql`
    with recursive partitions as (
      (select workspace_id, project_id, agent, coalesce(resource_key, '') as resource_key,
              coalesce(only_runner, '') as only_runner
         from execution_requests e where status = 'queued' and ${within}
        order by workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, '')
        limit 1)
      union all
      select next.* from partitions part cross join lateral (
        select e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, '') as resource_key,
               coalesce(e.only_runner, '') as only_runner
          from execution_requests e
         where e.status = 'queued' and ${within}
           and (e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, ''))
             > (part.workspace_id, part.project_id, part.agent, part.resource_key, part.only_runner)
         order by e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, '')
         limit 1) next
    )
    select found.workspace_id, found.id, found.created_at
      from (select * from partitions part
             where not exists (${ableRunners({ ...columnsOf('part'), device: sql`null` }, patienceSeconds)})
            offset 0) part
     cross join lateral (
        select e.workspace_id, e.id, e.created_at from execution_requests e
         where ${inPartition} and ${isUntaken}
         order by e.created_at, e.id limit ${most}) found
    union
    (select e.workspace_id, e.id, e.created_at from execution_requests e
      where ${isUntaken} and ${within} and e.only_device is not null
        and not exists (${ableRunners({ ...columnsOf('e'), device: sql`e.only_device` }, patienceSeconds)})
      order by e.created_at, e.id limit ${most})
     order by created_at, id limit ${most}`
}

function columnsOf(row: 'part' | 'e') {
  return {
    workspaceId: sql.ref(`${row}.workspace_id`),
    projectId: sql.ref(`${row}.project_id`),
    agent: sql.ref(`${row}.agent`),
    resourceKey: sql.ref(`${row}.resource_key`),
    onlyRunner: sql.ref(`${row}.only_runner`),
  }
}

type Needing = Pick<ExecutionRequestRow, 'agent' | 'resource_key' | 'only_runner' | 'only_device'>

/** What keeps every runner from it. */
export function whyNoRunner({
  agent,
  resource_key: resourceKey,
  only_runner: runner,
  only_device: device,
}: Needing): string {
  if (device !== null) return 'no runner that is there is the one that it ran on'
  const held = resourceKey === null ? '' : ` and the resource ${resourceKey}`
  const called = runner === null ? '' : `is called ${runner} and `
  return `no runner that is there ${called}has the agent ${agent}${held}`
}
