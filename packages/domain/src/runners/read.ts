import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { RunnerDetail } from '@svc/contracts/runner-detail'
import { limits } from '@svc/contracts/limits'
import { liveRunStates } from '@svc/contracts/states'
import type { Queryable } from '@svc/db/database'
import type { ProjectRow, RunnerResourceRow, RunnerRow, UserRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { gather } from '@svc/db/gather'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { viewListed } from '../entities/run-lists/listed.ts'
import { listNewestRuns, visibleRuns } from '../entities/execution-requests/newest-runs.ts'
import { isConnected, viewRunner } from '../entities/runners/queries.ts'
import type { UseCase } from '../use-case.ts'

/** Of its projects, checkouts and runs those that the caller may see. A claim bounds how many of them a runner reports. */
export async function getRunner(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getRunner'>,
): Promise<RouteOutput<'getRunner'>> {
  authorize(actor, 'project:read')
  const { runners, projects, checkouts } = await gather(db, {
    runners: selectRunner(actor, id),
    projects: selectProjects(actor, id),
    checkouts: selectCheckouts(actor, id),
  })
  const [runner] = runners
  if (!runner) throw notFound('runner', id)
  return {
    runner: viewDetail(actor, runner, { projects, checkouts }),
    executionRequests: actor.permissions.has('mission:read') ? await liveRunsOf(db, actor, id) : [],
  }
}

type FoundRunner = RunnerRow & { connected: boolean; owner_name: UserRow['name'] }
type FoundProject = Pick<ProjectRow, 'id' | 'slug'>
type FoundCheckout = Pick<RunnerResourceRow, 'project_id' | 'resource_key' | 'state' | 'path'> &
  Pick<ProjectRow, 'slug'>

function selectRunner({ workspaceId }: Actor, id: string) {
  return sql<FoundRunner>`
    select r.*, ${isConnected('r')} as connected, u.name as owner_name
      from runners r join users u on u.id = r.user_id
     where r.workspace_id = ${workspaceId} and r.id = ${id} and r.removed_at is null`
}

function selectProjects(actor: Actor, id: string) {
  return sql<FoundProject>`
    select p.id, p.slug from runners r
      join projects p on p.workspace_id = r.workspace_id and p.id = any(r.project_ids)
     where r.workspace_id = ${actor.workspaceId} and r.id = ${id}
       and ${whereVisibleTo(actor, { projectId: sql`p.id` })}
     order by p.slug`
}

function selectCheckouts(actor: Actor, id: string) {
  return sql<FoundCheckout>`
    select rr.project_id, p.slug, rr.resource_key, rr.state, rr.path
      from runner_resources rr
      join project_resources pr on pr.workspace_id = rr.workspace_id
       and pr.project_id = rr.project_id and pr.resource_key = rr.resource_key
      join projects p on p.workspace_id = rr.workspace_id and p.id = rr.project_id
     where rr.workspace_id = ${actor.workspaceId} and rr.runner_id = ${id}
       and ${whereVisibleTo(actor, { projectId: sql`rr.project_id` })}
     order by p.slug, rr.resource_key`
}

function viewDetail(
  { userId }: Actor,
  runner: FoundRunner,
  { projects, checkouts }: { projects: FoundProject[]; checkouts: FoundCheckout[] },
): RunnerDetail {
  const shown = (path: string) => (runner.user_id === userId ? path : null)
  return {
    ...viewRunner(runner),
    owner: { id: runner.user_id, name: runner.owner_name },
    projects: runner.project_ids === null ? null : projects,
    offers: runner.agents.map(({ key, version, path }) => ({ key, version, path: shown(path) })),
    checkouts: checkouts.map(
      ({ project_id: id, slug, resource_key: resourceKey, state, path }) => ({
        project: { id, slug },
        resourceKey,
        state,
        path: shown(path),
      }),
    ),
    createdAt: runner.created_at.toISOString(),
  }
}

/** What it carries, and what waits for its machine. */
async function liveRunsOf(db: Queryable, actor: Actor, runnerId: string) {
  const filter = visibleRuns(actor, { runnerId, states: liveRunStates })
  const rows = await listNewestRuns(db, actor.workspaceId, filter, { limit: limits.pageItems })
  return await viewListed(db, actor, rows)
}
