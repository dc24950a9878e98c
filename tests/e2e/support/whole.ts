import { expect } from 'vitest'
import type { Machine } from './machine.ts'
import type { Scene } from './scene.ts'

/** Whatever went wrong: nothing twice, nothing left behind, and every run that the machine had has ended. */
export async function expectWhole(
  scene: Scene,
  machine: Machine,
  { deliveries, attached }: { deliveries: number; attached: number },
): Promise<void> {
  await machine.settled()
  const found = await scene.client.call('listDeliveries', { id: scene.mission.id })
  expect(found.deliveries).toHaveLength(deliveries)
  expect(await scene.countEvents('delivery')).toBe(deliveries)
  expect(await scene.countEvents('session_attached')).toBe(attached)
  expect((await scene.phase()) === 'review').toBe(deliveries > 0)
  const { executionRequests } = await scene.client.call('listExecutionRequests', {
    missionId: scene.mission.id,
  })
  expect(executionRequests.filter(({ endedAt }) => endedAt === null)).toEqual([])
}
