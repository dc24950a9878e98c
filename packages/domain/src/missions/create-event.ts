import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { publish } from '../commit/outbox.ts'
import { recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { snapshotMission } from '../entities/missions/snapshot.ts'
import { viewMissionEvent } from '../entities/missions/views.ts'

/** An event of somebody else's vocabulary: an entry of the mission's history that goes to its subscribers. */
export async function createMissionEvent(
  context: UseCase,
  actor: Actor,
  { id, type, summary, data }: RouteInput<'createMissionEvent'>,
): Promise<RouteOutput<'createMissionEvent'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'mission:update', scopeOfMission(mission, id))
    const about = { workspaceId: actor.workspaceId, missionId: mission.id, type }
    const author = { userId: actor.userId, role: 'person' as const }
    const eventId = recordEvent(tx, author, { mission }, { type, summary, data })
    const snapshot = { mission: snapshotMission(mission) }
    publish(tx, { ...about, projectId: mission.project_id, snapshot })
    return { event: viewMissionEvent(await readEvent(tx, mission, eventId)) }
  })
}

function readEvent(tx: Tx, { workspace_id }: MissionRecord, id: string) {
  return tx
    .selectFrom('mission_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_id')
    .selectAll('e')
    .select('u.name as actor_name')
    .where('e.workspace_id', '=', workspace_id)
    .where('e.id', '=', id)
    .executeTakeFirstOrThrow()
}
