import { limits } from '@svc/contracts/limits'
import type { ListedResource } from '@svc/contracts/listed-resource'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { gather } from '@svc/db/gather'
import type { RunnerResourceRow, RunnerRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { selectResources, viewResource } from '../entities/projects/resources.ts'
import { isConnected } from '../entities/runners/queries.ts'
import type { UseCase } from '../use-case.ts'

export async function listProjectResources(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listProjectResources'>,
): Promise<RouteOutput<'listProjectResources'>> {
  const { workspaceId, userId } = actor
  const project = await requireProject(db, workspaceId, input.id)
  authorize(actor, 'project:read', scopeOfProject(project, input.id))
  const projectId = project.id
  const { resources, checkouts } = await gather(db, {
    resources: selectResources({ workspaceId, projectId, userId, device: input['x-svc-device'] }),
    checkouts: selectCheckouts(workspaceId, projectId),
  })
  return {
    resources: resources.map((row) => ({
      ...viewResource(row),
      checkouts: checkouts
        .filter(({ resource_key: key }) => key === row.resource_key)
        .slice(0, limits.listedCheckouts)
        .map(viewCheckout),
    })),
  }
}

type CheckoutRow = Pick<RunnerResourceRow, 'resource_key' | 'state'> &
  Pick<RunnerRow, 'id' | 'label'> & { connected: boolean }

/** Of the runners that a list of them has. */
function selectCheckouts(workspaceId: string, projectId: string): RawBuilder<CheckoutRow> {
  return sql<CheckoutRow>`
    select rr.resource_key, rr.state, r.id, r.label, r.connected
      from (select id, label, last_heard_at, ${isConnected('runners')} as connected from runners
             where workspace_id = ${workspaceId} and removed_at is null
             order by last_heard_at desc limit ${limits.pageItemsMax}) r
      join runner_resources rr on rr.workspace_id = ${workspaceId} and rr.runner_id = r.id
       and rr.project_id = ${projectId}
     order by r.last_heard_at desc`
}

function viewCheckout({
  id,
  label,
  state,
  connected,
}: CheckoutRow): ListedResource['checkouts'][number] {
  return { runner: { id, label, state: connected ? 'connected' : 'unavailable' }, state }
}
