import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isClosed } from '@svc/contracts/states'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { refuseIfRevised } from '../common/revision.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { type MissionRecord, scopeOfMission, selectStatuses } from '../entities/missions/queries.ts'
import { endRuns } from './close.ts'
import { viewMission } from '../entities/missions/views.ts'
import { lockMission } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** A status move, from a board as from anywhere else. */
export async function changeMissionStatus(
  context: UseCase,
  actor: Actor,
  { id, statusId, cancelRunning = false, expectedRevision }: RouteInput<'moveMission'>,
): Promise<RouteOutput<'moveMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    const scope = scopeOfMission(mission, id)
    authorize(actor, 'mission:update', scope)
    if (cancelRunning) authorize(actor, 'execution_request:create', scope)
    refuseIfRevised(mission.revision, expectedRevision, () => ({ mission: viewMission(mission) }))
    return { mission: viewMission(await moveTo(tx, actor, mission, { statusId, cancelRunning })) }
  })
}

/** The status by its id, or the first one of a type. The caller holds the mission's lock and has authorized. */
export async function moveTo(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  { statusId, cancelRunning }: { statusId: string; cancelRunning: boolean },
): Promise<MissionRecord> {
  const author = { userId: actor.userId, role: 'person' as const }
  const { rows: statuses } = await selectStatuses(mission).execute(tx)
  const status = statuses.find(({ id, type }) => id === statusId || type === statusId)
  const chosenStatusId = status?.id ?? statusId
  const current =
    status && isClosed(status.type)
      ? await endRuns(tx, author, mission, { cancelRunning, statusId: status.id })
      : mission
  return await moveMission(tx, 'move', { mission: current, author, chosenStatusId })
}
