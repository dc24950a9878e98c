import type { MissionEventType } from '@svc/contracts/mission'
import type { Tx } from '@svc/db/database'
import type { FeedChange } from '@svc/contracts/feed'
import { newId } from '../common/ids.ts'
import { carriedBy, wakeAfterCommit } from './transaction.ts'
import { channels } from '../jobs/wake-hub.ts'

/** Who an event or change is ascribed to. */
export interface Author {
  userId: string | null
  role: 'person' | 'agent' | 'runner' | 'service'
}
export const byService: Author = { userId: null, role: 'service' }

export interface MissionEventFacts {
  workspaceId: string
  missionId: string
  objectiveId?: string | null
  type: MissionEventType
  summary: string
  data?: Record<string, unknown>
}

/** One entry of the mission's history, in the transaction of what it tells. Answers its id. */
export function recordEvent(tx: Tx, author: Author, event: MissionEventFacts): string {
  const id = newId()
  carriedBy(tx).collected.add('mission_events', {
    workspace_id: event.workspaceId,
    id,
    mission_id: event.missionId,
    objective_id: event.objectiveId ?? null,
    type: event.type,
    summary: event.summary,
    data: JSON.stringify(event.data ?? {}),
    actor_id: author.userId,
    actor_role: author.role,
  })
  recordChange(tx, {
    workspaceId: event.workspaceId,
    missionId: event.missionId,
    entity: 'mission_event',
    entityId: id,
    operation: event.type,
    data: { summary: event.summary, objectiveId: event.objectiveId ?? null },
  })
  return id
}

export interface ChangeFacts {
  workspaceId: string
  projectId?: string
  missionId?: string
  entity: FeedChange['entity']
  entityId: string
  operation: string
  data?: Record<string, unknown>
}

/** One line of the live feed, in the transaction of the change. */
export function recordChange(tx: Tx, change: ChangeFacts): void {
  carriedBy(tx).collected.add('entity_changes', {
    workspace_id: change.workspaceId,
    project_id: change.projectId ?? null,
    mission_id: change.missionId ?? null,
    entity: change.entity,
    entity_id: change.entityId,
    operation: change.operation,
    data: JSON.stringify(change.data ?? {}),
  })
  wakeAfterCommit(tx, channels.changes)
}
