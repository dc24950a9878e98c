import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { lockMission, placeOf } from './queries.ts'
import { viewMission } from './views.ts'

/** A status move, from a board as from anywhere else. */
export async function changeMissionStatus(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'moveMission'>,
): Promise<RouteOutput<'moveMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, input.id)
    authorize(actor, 'mission:update', placeOf(mission, input.id))
    const author = { userId: actor.userId, role: 'person' as const }
    const moved = await moveMission(tx, context.domain, author, mission, 'move', input.statusId)
    return { mission: viewMission(moved) }
  })
}
