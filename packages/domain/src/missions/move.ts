import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { type StatusType, isClosed } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import type { MissionRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { moveMission } from '../lifecycle/move-mission.ts'
import { placeOf } from '../entities/missions/queries.ts'
import { endRuns } from './close.ts'
import { viewMission } from '../entities/missions/views.ts'
import { lockMission } from '../lifecycle/locks.ts'

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
    const cancels = input.cancelRunning ?? false
    if (cancels) authorize(actor, 'execution_request:create', placeOf(mission, input.id))
    const type = await findStatusType(tx, mission, input.statusId)
    if (type && isClosed(type)) {
      const { statusId } = input
      await endRuns(tx, author, mission, { cancelRunning: cancels, statusId })
    }
    const moved = await moveMission(tx, 'move', {
      mission,
      author,
      chosenStatusId: input.statusId,
    })
    return { mission: viewMission(moved) }
  })
}

async function findStatusType(
  tx: Tx,
  { workspace_id, project_id }: MissionRow,
  statusId: string,
): Promise<StatusType | undefined> {
  const status = await tx
    .selectFrom('project_statuses')
    .select('type')
    .where('workspace_id', '=', workspace_id)
    .where('project_id', '=', project_id)
    .where('id', '=', statusId)
    .executeTakeFirst()
  return status?.type
}
