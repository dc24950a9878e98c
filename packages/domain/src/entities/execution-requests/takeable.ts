import { closedTypes } from '@svc/contracts/states'
import { type RawBuilder, sql } from 'kysely'
import { where } from '../../states/states.ts'

/**
 * Which queued requests a runner can take, as parts of the statements that ask for it: the claim, and the look for
 * those that wait. In them `c` is who claims, `e` a request, and `part` a partition: the requests of one project,
 * agent, resource and name of a runner. They lie next to each other in the index `execution_requests_partitions`, the oldest
 * first. Only eligible partitions are looked into, so it costs the same whatever else is queued.
 */

/** Who claims: a runner, in these projects; null is every project of the workspace. */
export interface Claimer {
  workspaceId: string
  runnerId: string
  projectIds: readonly string[] | null
}

/** What a runner `r` reported last, with these of its agents; an ephemeral one has what it can clone as well. */
export const whatItHas = (agents: RawBuilder<unknown>) => sql`
  r.label,
  array(select reported.value ->> 'key' from jsonb_array_elements(${agents}) reported) as agents,
  array(select rr.project_id || ' ' || rr.resource_key from runner_resources rr
         where rr.workspace_id = r.workspace_id and rr.runner_id = r.id
           and rr.state = 'usable'
        union all
        select ${cloneable} and r.ephemeral) as checkouts`

/** Of the workspace of `r`. */
const cloneable = sql`pr.project_id || ' ' || pr.resource_key from project_resources pr
         where pr.workspace_id = r.workspace_id and pr.clone_url is not null`

/** A runner that is not there yet. */
export interface Expected {
  workspaceId: string
  /** Null is every project of the workspace. */
  projectIds: readonly string[] | null
  agents: readonly string[]
  label: string | undefined
}

/** `c` as `claimers` gives it, of an ephemeral runner that would be started now. */
export function expected({ workspaceId, projectIds, agents, label }: Expected) {
  return sql`c as materialized (
    select 0 as n, r.*, null::uuid as runner_id, ${[...agents]}::text[] as agents,
           array(select ${cloneable}) as checkouts
      from (select ${workspaceId}::uuid as workspace_id, ${projectIds}::uuid[] as projects,
                   ${label ?? null}::text as label) r)`
}

/** `c`: the claimers in `given` (columns n, workspace_id, runner_id and projects), with what their runners have. */
export function claimers(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`c as materialized (
    select given.*, ${whatItHas(sql`r.agents`)}
      from ${given} given
      join runners r on r.workspace_id = given.workspace_id and r.id = given.runner_id
     where r.removed_at is null)`
}

/** What a partition, a request or what is needed asks of `c`, each by itself. */
export function fitsBy(one: 'part' | 'e' | 'needed') {
  const column = (name: string) => sql.ref(`${one}.${name}`)
  const [resource, runner] = [column('resource_key'), column('only_runner')]
  return {
    project: sql<boolean>`(c.projects is null or ${column('project_id')} = any(c.projects))`,
    agent: sql<boolean>`${column('agent')} = any(c.agents)`,
    name: sql<boolean>`(coalesce(${runner}, '') = '' or ${runner} = c.label)`,
    resource: sql<boolean>`(coalesce(${resource}, '') = ''
      or ${column('project_id')} || ' ' || ${resource} = any(c.checkouts))`,
  }
}

/** Whether `c` has all of that. */
export function fits(one: 'part' | 'e' | 'needed'): RawBuilder<boolean> {
  const conditions = [
    sql`${sql.ref(`${one}.workspace_id`)} = c.workspace_id`,
    ...Object.values(fitsBy(one)),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** What may keep one runner for now from a request that others can take, each by itself. */
export function readyBy(runnerId: RawBuilder<unknown>) {
  return {
    machine: sql<boolean>`(e.only_device is null or e.only_device = (
      select mine.fingerprint from runners mine
       where mine.workspace_id = e.workspace_id and mine.id = ${runnerId}))`,
    wait: sql<boolean>`coalesce((e.waits -> ${runnerId}::text ->> 'until')::timestamptz, '-infinity') <= app.now()`,
    // what a run left on the mission's branch is known once it has ended: until then only its runner goes on
    branch: sql<boolean>`not exists (
      select from mission_branches b
        join execution_requests p
          on p.workspace_id = b.workspace_id and p.id = b.execution_request_id
       where b.workspace_id = e.workspace_id and b.mission_id = e.mission_id
         and b.resource_key = e.resource_key
         and (b.objective_id is null or b.objective_id = e.objective_id)
         and ${where.over('p')}
         and p.ended_at is null and p.lease_expires_at > app.now()
         and p.runner_id is distinct from ${runnerId})`,
  }
}

/** Whether nothing keeps this runner now from a request that fits; null: one that is not there yet. */
export function isReady(runnerId: RawBuilder<unknown>): RawBuilder<boolean> {
  const { machine, wait, branch } = readyBy(runnerId)
  return sql`(e.status = 'queued' and e.run_after <= app.now() and ${machine} and ${wait}
    and not exists (
          select from missions m
            join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
           where m.workspace_id = e.workspace_id and m.id = e.mission_id
             and (m.deleted_at is not null or s.type = any(${closedTypes}::text[])))
    and ${branch})`
}

/**
 * `eligible`: the partitions that each of `c` can take from. They are found by jumping from one to the next, only in the
 * projects asked for; each project's search begins at a partition that holds nothing.
 */
export const eligible = sql`
  partitions as (
    select p.workspace_id, p.id as project_id, '' as agent, '' as resource_key, '' as only_runner
      from (select distinct workspace_id, projects from c) asked
      join projects p on p.workspace_id = asked.workspace_id
                     and (asked.projects is null or p.id = any(asked.projects))
    union
    select part.workspace_id, part.project_id, next.agent, next.resource_key, next.only_runner
      from partitions part cross join lateral (
        select e.agent, coalesce(e.resource_key, '') as resource_key,
               coalesce(e.only_runner, '') as only_runner from execution_requests e
         where e.status = 'queued' and e.workspace_id = part.workspace_id and e.project_id = part.project_id
           and (e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, ''))
             > (part.agent, part.resource_key, part.only_runner)
         order by e.agent, coalesce(e.resource_key, ''), coalesce(e.only_runner, '') limit 1) next
  ), eligible as (
    select c.n, c.runner_id, part.* from c join partitions part on ${fits('part')})`

/** The requests that can be taken from the partition `part` of `eligible`, the oldest first. */
export const takeable = sql`
  select e.workspace_id, e.id, e.created_at from execution_requests e
   where e.workspace_id = part.workspace_id and e.project_id = part.project_id
     and e.agent = part.agent and coalesce(e.resource_key, '') = part.resource_key
     and coalesce(e.only_runner, '') = part.only_runner
     and ${isReady(sql.ref('part.runner_id'))}
   order by e.created_at, e.id`
