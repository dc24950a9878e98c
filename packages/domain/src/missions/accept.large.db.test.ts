import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('accepting a mission', () => {
  test('closes it once it is in review, and again says that it is closed', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { id } = mission
    await alice.call('moveMission', { id, statusId: 'review' })
    expect(await alice.call('acceptMission', { id: mission.displayId })).toMatchObject({
      mission: { id, phase: 'complete' },
      alreadyClosed: false,
    })
    const again = await world.rowsWrittenBy(async () => {
      expect(await alice.call('acceptMission', { id })).toMatchObject({
        mission: { id, phase: 'complete' },
        alreadyClosed: true,
      })
    })
    expect(again).toMatchObject({ rows: [], refusal: undefined })
  })

  test.for(['draft', 'execute', 'blocked', 'cancelled'] as const)(
    'is refused while it is in %s, with the move that closes it all the same',
    async (type, { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      await alice.call('moveMission', { id: mission.id, statusId: type })
      const refused = await world.rowsWrittenBy(() =>
        alice.call('acceptMission', { id: mission.id }),
      )
      expect(refused).toMatchObject({
        rows: [],
        refusal: {
          code: 'not_in_review',
          next: {
            operation: 'moveMission',
            params: { id: mission.displayId, statusId: 'complete' },
          },
        },
      })
    },
  )

  test('is refused over a delivery that came after the one that was looked at', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const { id } = mission
    const [first, second] = mission.objectives
    const deliver = async (objective: typeof first, summary: string) => {
      const { runner, lease, agent } = await world.attachedRun(objective)
      await agent.deliver({ summary })
      await runner.exited(lease)
      const { deliveries } = await alice.call('listDeliveries', { id })
      return deliveries[0]?.id ?? null
    }
    const seen = await deliver(first, 'Made.')
    const unseen = await deliver(second, 'Made otherwise.')
    for (const expectedDeliveryId of [seen, null]) {
      const refused = await world.rowsWrittenBy(() =>
        alice.call('acceptMission', { id, expectedDeliveryId }),
      )
      expect(refused).toMatchObject({
        rows: [],
        refusal: {
          code: 'revision_mismatch',
          message: expect.stringContaining('Made otherwise.'),
          details: { current: { delivery: { id: unseen, summary: 'Made otherwise.' } } },
          next: { operation: 'listDeliveries', params: { id: mission.displayId } },
        },
      })
    }
    expect(await alice.call('acceptMission', { id, expectedDeliveryId: unseen })).toMatchObject({
      mission: { phase: 'complete' },
    })
  })

  test('is refused while something is queued in it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    await alice.launch(mission.objectives[0])
    await alice.call('moveMission', { id: mission.id, statusId: 'review' })
    await expect(alice.call('acceptMission', { id: mission.id })).rejects.toMatchObject({
      code: 'mission_active',
    })
  })
})
