import { limits } from '@svc/contracts/limits'
import { test } from '../testing/world.ts'
import { expect } from 'vitest'

const large = (label: string) => ({
  type: 'other',
  label,
  contentText: 'x'.repeat(limits.contentTextBytes),
})

test('a page of large deliveries ends early, and the next goes on from there', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'])
  const made: string[] = []
  for (const objective of mission.objectives) {
    const { agent } = await world.attachedRun(objective)
    const artifacts = Array.from({ length: 15 }, (_, index) => large(`part ${index}`))
    made.unshift((await agent.deliver({ artifacts })).deliveryId)
  }
  const read = (cursor?: string) =>
    alice.call('listDeliveries', { id: mission.id, ...(cursor !== undefined && { cursor }) })

  const first = await read()
  const second = await read(first.nextCursor)
  const pages = [first, second].map((page) => page.deliveries.map((delivery) => delivery.id))
  expect(pages).toEqual([made.slice(0, 2), made.slice(2)])
  expect(first.deliveries.map((delivery) => delivery.artifacts.length)).toEqual([15, 15])
  expect(second.nextCursor).toBeUndefined()
})

test('a delivery names the run that delivered it, and none where an agent came by itself', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['launched', 'attached', 'recorded'])
  const [launched, attached] = mission.objectives
  const { agent, lease } = await world.attachedRun(launched)
  await agent.deliver()
  await alice.protocol('record-work', { missionId: mission.id, summary: 'Done.' })
  const session = await alice.protocol('attach', {
    objectiveId: attached.id,
    missionId: mission.id,
    agentIdentifier: 'own',
  })
  await alice.protocol('deliver', { sessionKey: session.sessionKey, summary: 'Done.' })
  const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
  const runOf = new Map(deliveries.map((one) => [one.objectiveId, one.executionRequestId]))
  expect(runOf.get(launched.id)).toBe(lease.id)
  expect([...runOf.values()].filter((id) => id !== null)).toEqual([lease.id])
  expect(deliveries).toHaveLength(3)
  const overview = await alice.call('getMissionOverview', { id: mission.id })
  expect(overview.deliveries).toEqual(deliveries)
})
