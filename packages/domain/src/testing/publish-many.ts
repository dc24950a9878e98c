import type { Mission } from '@svc/contracts/mission'
import { type OutboxEvent, publish } from '../commit/outbox.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { Domain } from '../domain.ts'
import { lockMission } from '../lifecycle/locks.ts'

/** So often this event, all in one transaction; answers their ids. */
export function publishMany(domain: Domain, event: OutboxEvent, count: number): Promise<string[]> {
  return inTransaction({ domain }, async (tx) => {
    await lockMission(tx, event.workspaceId, event.missionId)
    return Array.from({ length: count }, () => publish(tx, event))
  })
}

/** What such an event tells of its mission. */
export function missionInEvent(mission: Mission) {
  const { id, displayId, priority, revision, title, status, createdAt } = mission
  return { id, displayId, priority, revision, title, status, createdAt }
}
