import type { NextStep } from '@svc/contracts/next-step'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import { isOffered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfProject, requireProject } from '../entities/projects/queries.ts'
import { type WholeQueue, viewQueues } from '../entities/run-queues/views.ts'
import { adviseOnQueue } from '../next-steps/queues.ts'
import type { UseCase } from '../use-case.ts'
import { listQueueRows } from './queries.ts'

export async function listRunQueues(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'listRunQueues'>,
): Promise<RouteOutput<'listRunQueues'>> {
  const { project, queues } = await readQueues(context, actor, input)
  const permits = (step: NextStep) => isOffered(actor, step)
  return { queues: queues.map((queue) => adviseOnQueue(queue, project, permits)) }
}

/** With the slug of their project. */
export async function readQueues(
  { domain: { db } }: UseCase,
  actor: Actor,
  { id }: RouteInput<'listRunQueues'>,
): Promise<{ project: string; queues: WholeQueue[] }> {
  const project = await requireProject(db, actor.workspaceId, id)
  authorize(actor, 'project:read', scopeOfProject(project, id))
  const queues = await viewQueues(db, actor, await listQueueRows(db, project))
  return { project: project.slug, queues }
}
