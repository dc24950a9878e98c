import type { ProjectResource } from '@svc/contracts/project'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable, Tx } from '@svc/db/database'
import type { ProjectResourceRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { placeOfProject, requireProject } from './queries.ts'

/** Seconds since a runner was last heard of within which its checkouts count as connected. Decision 22. */
export const connectedSeconds = 90

interface Asking {
  workspaceId: string
  projectId: string
  /** Whose machine asks: a path is told only to the owner of the runner on that device. */
  userId: string
  device: string | undefined
}

/** Every linked resource, connected or not, with the path that it has on the asking machine. */
export async function listResources(db: Queryable, asking: Asking): Promise<ProjectResource[]> {
  const { rows } = await sql<ProjectResourceRow & { connected: boolean; path: string | null }>`
    select pr.*,
           exists (select from runner_resources rr
                     join runners r on r.workspace_id = rr.workspace_id and r.id = rr.runner_id
                    where rr.workspace_id = pr.workspace_id and rr.project_id = pr.project_id
                      and rr.resource_key = pr.resource_key and rr.state = 'usable'
                      and r.removed_at is null
                      and (${asking.device ?? null}::text is null or r.fingerprint = ${asking.device ?? null})
                      and r.last_heard_at > app.now() - make_interval(secs => ${connectedSeconds})) as connected,
           (select rr.path from runner_resources rr
              join runners r on r.workspace_id = rr.workspace_id and r.id = rr.runner_id
             where rr.workspace_id = pr.workspace_id and rr.project_id = pr.project_id
               and rr.resource_key = pr.resource_key and rr.state = 'usable'
               and r.removed_at is null and r.user_id = ${asking.userId}
               and r.fingerprint = ${asking.device ?? null}
             limit 1) as path
      from project_resources pr
     where pr.workspace_id = ${asking.workspaceId} and pr.project_id = ${asking.projectId}
     order by pr.is_primary desc, pr.resource_key`.execute(db)
  return rows.map((row) => ({
    resourceKey: row.resource_key,
    permission: row.permission,
    primary: row.is_primary,
    state: row.connected ? ('connected' as const) : ('unavailable' as const),
    path: row.path,
    ...(row.default_branch !== null && { defaultBranch: row.default_branch }),
  }))
}

export async function listProjectResources(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listProjectResources'>,
): Promise<RouteOutput<'listProjectResources'>> {
  const project = await requireProject(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'project:read', placeOfProject(project, input.id))
  const resources = await listResources(domain.db, {
    workspaceId: actor.workspaceId,
    projectId: project.id,
    userId: actor.userId,
    device: input['x-svc-device'],
  })
  return { resources }
}

/** Links a resource, or changes how it is linked. The first `rw` one is primary unless told otherwise. */
export async function linkProjectResource(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'linkProjectResource'>,
): Promise<RouteOutput<'linkProjectResource'>> {
  return inTransaction(context, async (tx) => {
    const project = await requireProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', placeOfProject(project, input.id))
    await sql`select from projects where workspace_id = ${actor.workspaceId} and id = ${project.id}
               for no key update`.execute(tx)
    const reused = await upsertResource(tx, actor.workspaceId, project.id, input)
    await recordChange(tx, {
      workspaceId: actor.workspaceId,
      projectId: project.id,
      entity: 'project',
      entityId: project.id,
      operation: 'resource',
      data: { resourceKey: input.resourceKey },
    })
    const resources = await listResources(tx, {
      workspaceId: actor.workspaceId,
      projectId: project.id,
      userId: actor.userId,
      device: undefined,
    })
    const resource = resources.find((one) => one.resourceKey === input.resourceKey)
    if (!resource) throw notFound('project', input.id)
    return { resource, reused }
  })
}

async function upsertResource(
  tx: Tx,
  workspaceId: string,
  projectId: string,
  input: RouteInput<'linkProjectResource'>,
): Promise<boolean> {
  const existing = await tx
    .selectFrom('project_resources')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .execute()
  const same = existing.find((row) => row.resource_key === input.resourceKey)
  const hasPrimary = existing.some((row) => row.is_primary && row !== same)
  const wanted = input.primary ?? (same?.is_primary || !hasPrimary)
  const primary = wanted && input.permission === 'rw'
  if (primary) {
    await tx
      .updateTable('project_resources')
      .set({ is_primary: false })
      .where('workspace_id', '=', workspaceId)
      .where('project_id', '=', projectId)
      .execute()
  }
  await tx
    .insertInto('project_resources')
    .values({
      workspace_id: workspaceId,
      project_id: projectId,
      resource_key: input.resourceKey,
      permission: input.permission,
      is_primary: primary,
      default_branch: input.defaultBranch ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'project_id', 'resource_key']).doUpdateSet({
        permission: input.permission,
        is_primary: primary,
        ...(input.defaultBranch !== undefined && { default_branch: input.defaultBranch }),
      }),
    )
    .execute()
  return same !== undefined
}
