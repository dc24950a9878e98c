import { cutText } from '@svc/contracts/cut-text'
import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { revisionMismatch } from '../common/revision.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { findNewestDelivery } from '../entities/deliveries/queries.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission, viewMission } from '../entities/missions/views.ts'
import { lockMission } from '../lifecycle/locks.ts'
import type { UseCase } from '../use-case.ts'
import { moveTo } from './move.ts'

/** As much of a delivery as a sentence about it says. */
const saidCharacters = 200

/** Closes the mission as a person does who has seen enough. What is merged of it is the business of the repositories. */
export async function acceptMission(
  context: UseCase,
  actor: Actor,
  { id, expectedDeliveryId }: RouteInput<'acceptMission'>,
): Promise<RouteOutput<'acceptMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'mission:update', scopeOfMission(mission, id))
    if (mission.status_type === 'complete') {
      return { mission: viewMission(mission), alreadyClosed: true }
    }
    if (mission.status_type !== 'review') throw notInReview(mission)
    await refuseIfDelivered(tx, mission, expectedDeliveryId)
    const moved = await moveTo(tx, actor, mission, { statusId: 'complete', cancelRunning: false })
    return { mission: viewMission(moved), alreadyClosed: false }
  })
}

/** Every delivery takes the mission's lock, so that none comes between this look and the move. */
async function refuseIfDelivered(
  tx: UnitOfWork,
  mission: MissionRecord,
  expected: string | null | undefined,
): Promise<void> {
  if (expected === undefined) return
  const newest = await findNewestDelivery(tx, mission)
  if (newest === undefined || newest.id === expected) return
  const id = displayIdOfMission(mission)
  throw revisionMismatch(
    `${id} has a newer delivery than the one that was looked at, so it is not accepted: ${cutText(newest.summary, saidCharacters)}`,
    mission.revision,
    {
      delivery: {
        id: newest.id,
        objectiveId: newest.objective_id,
        summary: newest.summary,
        createdAt: newest.created_at.toISOString(),
      },
    },
    { operation: 'listDeliveries', params: { id } },
  )
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
