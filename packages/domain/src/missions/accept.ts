import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission, viewMission } from '../entities/missions/views.ts'
import { lockMission } from '../lifecycle/locks.ts'
import type { UseCase } from '../use-case.ts'
import { moveTo } from './move.ts'

/** Closes the mission as a person does who has seen enough. What is merged of it is the business of the repositories. */
export async function acceptMission(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'acceptMission'>,
): Promise<RouteOutput<'acceptMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'mission:update', scopeOfMission(mission, id))
    if (mission.status_type === 'complete') {
      return { mission: viewMission(mission), alreadyClosed: true }
    }
    if (mission.status_type !== 'review') throw notInReview(mission)
    const moved = await moveTo(tx, actor, mission, { statusId: 'complete', cancelRunning: false })
    return { mission: viewMission(moved), alreadyClosed: false }
  })
}

function notInReview(mission: MissionRecord): ServiceError {
  const id = displayIdOfMission(mission)
  return new ServiceError(
    'not_in_review',
    `${id} is not in review but ${mission.status_label}, and stays so. A move closes it all the same.`,
    { phase: mission.status_type },
    { next: { operation: 'moveMission', params: { id, statusId: 'complete' } } },
  )
}
