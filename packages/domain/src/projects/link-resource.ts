import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { lockProject } from '../entities/projects/lock-project.ts'
import { scopeOfProject } from '../entities/projects/queries.ts'
import { recordProjectChange } from './record-change.ts'
import { listResources } from '../entities/projects/resources.ts'

/** Links a resource, or changes how it is linked. The first `rw` one is primary unless told otherwise. */
export async function linkProjectResource(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'linkProjectResource'>,
): Promise<RouteOutput<'linkProjectResource'>> {
  return inTransaction(context, async (tx) => {
    const project = await lockProject(tx, actor.workspaceId, input.id)
    authorize(actor, 'project:update', scopeOfProject(project, input.id))
    const reused = await upsertResource(tx, actor.workspaceId, project.id, input)
    recordProjectChange(tx, project, 'resource', { resourceKey: input.resourceKey })
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
      clone_url: input.cloneUrl ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'project_id', 'resource_key']).doUpdateSet({
        permission: input.permission,
        is_primary: primary,
        ...(input.defaultBranch !== undefined && { default_branch: input.defaultBranch }),
        ...(input.cloneUrl !== undefined && { clone_url: input.cloneUrl }),
      }),
    )
    .execute()
  return same !== undefined
}
