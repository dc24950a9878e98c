import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import type { UseCase } from '../use-case.ts'
import { selectSharedState, viewSharedState } from '../entities/shared-state/queries.ts'

export async function listSharedState(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'listSharedState'>,
): Promise<RouteOutput<'listSharedState'>> {
  const mission = await requireMission(domain.db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfMission(mission, id))
  const rows = await selectSharedState(domain.db, mission).execute()
  return { sharedState: rows.map(viewSharedState) }
}
