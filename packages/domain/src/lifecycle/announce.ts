import type { BuiltInEventType } from '@svc/contracts/events'
import { type OutboxEvent, publish } from '../commit/outbox.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { snapshotMission } from '../entities/missions/snapshot.ts'
import type { EventSnapshot } from '../events/event-snapshot.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Publishes what a row of the lifecycle says; the mover's types have asked for what each event carries. */
export function announce(
  tx: UnitOfWork,
  types: readonly BuiltInEventType[],
  mission: MissionRecord,
  parts: Omit<EventSnapshot, 'mission'>,
): void {
  const about = {
    workspaceId: mission.workspace_id,
    projectId: mission.project_id,
    missionId: mission.id,
  }
  for (const type of types) {
    const snapshot = { mission: snapshotMission(mission), ...parts }
    // see above: the parts are those of this type
    publish(tx, { ...about, type, snapshot } as OutboxEvent)
  }
}
