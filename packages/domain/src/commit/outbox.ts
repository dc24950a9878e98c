import type { EventType } from '@svc/contracts/events'
import type { Tx } from '@svc/db/database'
import { newId } from '../ids.ts'
import { type Jobs, queues } from './jobs.ts'
import { wakeAfterCommit } from './transaction.ts'
import { channels } from './wake-hub.ts'

/** What may change before the event is sent, as it was when it happened. */
export interface OutboxEvent {
  workspaceId: string
  projectId: string
  missionId: string
  type: EventType
  snapshot: Record<string, unknown>
}

/**
 * The only way an event leaves a use case: its row and its job stand in the caller's transaction, so it exists if and
 * only if the change that it tells of does. Answers the event's id.
 */
export async function publish(tx: Tx, jobs: Jobs, event: OutboxEvent): Promise<string> {
  const id = newId()
  await tx
    .insertInto('webhook_event')
    .values({
      workspace_id: event.workspaceId,
      id,
      project_id: event.projectId,
      mission_id: event.missionId,
      type: event.type,
      snapshot: JSON.stringify(event.snapshot),
    })
    .execute()
  await jobs.insert(tx, queues.webhookEvent, {
    id,
    data: { workspaceId: event.workspaceId, eventId: id },
  })
  wakeAfterCommit(tx, channels.outbox)
  return id
}
