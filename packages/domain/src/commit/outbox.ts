import type { BuiltInEventType, ExtensionEventType } from '@svc/contracts/events'
import { newId } from '../common/ids.ts'
import { recordChange } from './records.ts'
import { reviseMission } from './revise-mission.ts'
import type { EventSnapshot, SnapshotOf } from '../events/event-snapshot.ts'
import { channels } from '../jobs/wake-hub.ts'
import { noteStep } from './steps.ts'
import { type UnitOfWork, wakeAfterCommit } from './unit-of-work.ts'

interface About {
  workspaceId: string
  projectId: string
  missionId: string
}

/** The snapshot holds what may change before the event is sent, as it was when it happened. */
export type OutboxEvent = About &
  (
    | { [T in BuiltInEventType]: { type: T; snapshot: SnapshotOf<T> } }[BuiltInEventType]
    | { type: ExtensionEventType; snapshot: EventSnapshot }
  )

/**
 * The only way an event leaves a use case: its row, and its job where a webhook is to hear of it, are written with the
 * caller's transaction, so they exist if and only if the change that it is about does. It moves the mission's revision, and is numbered as it is written,
 * under the mission's lock. Whoever follows hears of it in the order of the commits. Answers the event's id.
 */
export function publish(tx: UnitOfWork, event: OutboxEvent): string {
  tx.locks.require('mission')
  const id = newId()
  const { mission } = event.snapshot
  const { workspaceId: workspace_id, projectId: project_id } = event
  const revision = reviseMission(tx, { ...mission, workspace_id })
  const row = { ...mission, workspace_id, project_id, revision }
  recordChange(tx, { mission: row }, 'event', { eventId: id, type: event.type })
  tx.pending.append('webhook_events', {
    workspace_id: event.workspaceId,
    id,
    project_id: event.projectId,
    mission_id: event.missionId,
    type: event.type,
    snapshot: JSON.stringify({ ...event.snapshot, mission: { ...mission, revision } }),
  })
  wakeAfterCommit(tx, channels.outbox)
  noteStep(tx, () => ({ did: 'publish', id, ...stepOfEvent(event) }))
  return id
}

/** What a step that is about an event says of it. */
export function stepOfEvent({ type, workspaceId, missionId, snapshot }: SentEvent) {
  const { objective, run }: Partial<EventSnapshot> = snapshot
  return {
    type,
    workspaceId,
    missionId,
    objectiveId: objective?.id ?? null,
    executionRequestId: run?.id ?? null,
  }
}

type SentEvent = Omit<About, 'projectId'> & { type: string; snapshot: Partial<EventSnapshot> }
