import { ExtensionEventType } from '@svc/contracts/events'
import { type OutboxEvent, publish } from '../commit/outbox.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { lockMission } from '../lifecycle/locks.ts'
import type { Person } from './people.ts'
import { missionWith } from './plans.ts'

/** Publishes this event `count` times in one transaction. Returns the ids of the events. */
export function publishMany(domain: Domain, event: OutboxEvent, count: number): Promise<string[]> {
  return inTransaction({ domain }, async (tx) => {
    await lockMission(tx, event.workspaceId, event.missionId)
    return Array.from({ length: count }, () => publish(tx, event))
  })
}

/** An event of an extension about a mission that this person makes for it. */
export async function extensionEvent(person: Person, type: string) {
  const { mission } = await missionWith(person, [])
  const { id, displayId, projectId, priority, revision, title, status, createdAt } = mission
  return {
    workspaceId: (await person.actor()).workspaceId,
    projectId,
    missionId: id,
    type: ExtensionEventType.parse(type),
    snapshot: { mission: { id, displayId, priority, revision, title, status, createdAt } },
  }
}
