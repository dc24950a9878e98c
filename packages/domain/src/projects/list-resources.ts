import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { listResources } from '../entities/projects/resources.ts'

export async function listProjectResources(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listProjectResources'>,
): Promise<RouteOutput<'listProjectResources'>> {
  const project = await requireProject(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'project:read', scopeOfProject(project, input.id))
  const resources = await listResources(domain.db, {
    workspaceId: actor.workspaceId,
    projectId: project.id,
    userId: actor.userId,
    device: input['x-svc-device'],
  })
  return { resources }
}
