import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfObjective, requireObjective } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'

export async function getObjective(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getObjective'>,
): Promise<RouteOutput<'getObjective'>> {
  const { mission, objective } = await requireObjective(domain.db, actor.workspaceId, input.id)
  authorize(actor, 'mission:read', scopeOfObjective({ mission, objective }, input.id))
  return { objective: viewObjective(mission, objective) }
}
