import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { placeOfProject, requireProject } from '../entities/projects/queries.ts'
import type { UseCase } from '../use-case.ts'
import { listQueueRows } from './queries.ts'
import { viewQueues } from '../entities/run-queues/views.ts'

export async function listRunQueues(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'listRunQueues'>,
): Promise<RouteOutput<'listRunQueues'>> {
  const project = await requireProject(db, actor.workspaceId, id)
  authorize(actor, 'project:read', placeOfProject(project, id))
  return { queues: await viewQueues(db, actor, await listQueueRows(db, project)) }
}
