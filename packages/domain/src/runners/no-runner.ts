import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { eachDue } from '../commit/each-due.ts'
import type { Domain } from '../domain.ts'
import { type Run, lockRun } from '../lifecycle/lock-run.ts'
import { notifyOwner } from '../notifications/notify-owner.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { ableRunners } from '../entities/execution-requests/able-runners.ts'

/** For so long a request waits, and no runner that could take it is heard of, before its person is notified. */
const patienceSeconds = 300

const nullDevice = sql`null`
const isUnnotified = sql<boolean>`e.status = 'queued' and e.no_runner_notified_at is null
  and e.run_after < app.now() - make_interval(secs => ${patienceSeconds})
  and (select m.deleted_at is null from missions m
        where m.workspace_id = e.workspace_id and m.id = e.mission_id)
  and (select o.deleted_at is null from objectives o
        where o.workspace_id = e.workspace_id and o.id = e.objective_id)`

/** Whoever launched what nobody can take is notified, once. */
export async function notifyOfNoRunner(domain: Domain): Promise<void> {
  await eachDue(domain, {
    find: async (most) => (await findUntaken(most).execute(domain.db)).rows,
    async lock(tx, { workspace_id, id }) {
      const run = await lockRun(tx, workspace_id, id)
      const { status, no_runner_notified_at: notifiedAt } = run.request
      return status === 'queued' && notifiedAt === null ? run : undefined
    },
    async work(tx, run) {
      const { workspace_id, id } = run.request
      await sql`update execution_requests set no_runner_notified_at = app.now()
                 where workspace_id = ${workspace_id} and id = ${id}`.execute(tx)
      await notifyOwner(tx, run, noticeOf(run))
    },
  })
}

/**
 * Partitions are looked at one by one, since what is queued in one needs the same: their number, and not that of the
 * requests, is what a pass costs. A request that goes on with a run needs its machine, too.
 */
function findUntaken(most: number): RawBuilder<Pick<ExecutionRequestRow, 'workspace_id' | 'id'>> {
  const inPartition = sql`e.workspace_id = part.workspace_id and e.project_id = part.project_id
    and e.agent = part.agent and coalesce(e.resource_key, '') = part.resource_key
    and coalesce(e.only_runner, '') = part.only_runner`
  return sql`
    with recursive partitions as (
      (select workspace_id, project_id, agent, coalesce(resource_key, '') as resource_key,
              coalesce(only_runner, '') as only_runner
         from execution_requests where status = 'queued'
        order by workspace_id, project_id, agent, coalesce(resource_key, ''), coalesce(only_runner, '')
        limit 1)
      union all
      select next.* from partitions part cross join lateral (
        select e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, '') as resource_key,
               coalesce(e.only_runner, '') as only_runner
          from execution_requests e
         where e.status = 'queued'
           and (e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, ''))
             > (part.workspace_id, part.project_id, part.agent, part.resource_key, part.only_runner)
         order by e.workspace_id, e.project_id, e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, '')
         limit 1) next
    )
    select found.workspace_id, found.id
      from (select * from partitions part
             where not exists (${ableRunners({ ...columnsOf('part'), device: nullDevice }, patienceSeconds)})
            offset 0) part
     cross join lateral (
        select e.workspace_id, e.id from execution_requests e
         where ${inPartition} and ${isUnnotified}
         order by e.created_at, e.id limit ${most}) found
    union
    select e.workspace_id, e.id from execution_requests e
     where ${isUnnotified} and e.only_device is not null
       and not exists (${ableRunners({ ...columnsOf('e'), device: sql`e.only_device` }, patienceSeconds)})
     limit ${most}`
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

function noticeOf({ mission, objective, request }: Run) {
  const { id, agent, resource_key: resourceKey, only_runner: runner, only_device } = request
  const held = resourceKey === null ? '' : ` and the resource ${resourceKey}`
  const called = runner === null ? '' : `is called ${runner} and `
  const who =
    only_device === null ? `${called}has the agent ${agent}${held}` : 'is the one that it ran on'
  return {
    kind: 'no_runner',
    key: `no_runner:${id}`,
    title: `${displayIdOf(mission, objective)} waits: no runner that is there ${who}`,
    link: `/api/execution-requests/${id}`,
    subject_id: id,
    next: { operation: 'listRunners', params: {} } as const,
  }
}
