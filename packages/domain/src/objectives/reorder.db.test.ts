import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const idsOf = (objectives: readonly { id: string }[]) => objectives.map(({ id }) => id)

describe('reordering what has not started', () => {
  test(
    verifies(
      'tool.svc_reorder_future_objectives.replaces',
      'gives it the order that is named, behind what has started',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'])
      const [a, b, c, d] = mission.objectives
      await world.attachedRun(a)
      const { objectives } = await alice.tool('svc_reorder_future_objectives', {
        missionId: mission.displayId,
        objectiveIds: [d.displayId, b.id, c.displayId],
      })
      expect(objectives.map(({ id, position }) => [id, position])).toEqual([
        [a.id, 1],
        [d.id, 2],
        [b.id, 3],
        [c.id, 4],
      ])
      const next = await alice.call('reorderFutureObjectives', {
        id: mission.id,
        objectiveIds: [b.displayId, c.displayId, d.displayId],
      })
      expect(idsOf(next.objectives)).toEqual([a.id, b.id, c.id, d.id])
      expect((await alice.eventsOf(mission))[0]).toMatchObject({ type: 'objective_changed' })
    },
  )

  test(
    verifies(
      'tool.svc_reorder_future_objectives.complete',
      'is refused where one is missing, named twice, started, or not of this mission',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
      const [a, b, c] = mission.objectives
      const other = (await world.missionWith(['d'])).mission.objectives[0]
      await alice.launch(a)
      const wrong = {
        missing: [c.id],
        twice: [b.id, c.id, b.id],
        started: [a.id, b.id, c.id],
        foreign: [b.id, c.id, other.id],
      }
      for (const objectiveIds of Object.values(wrong)) {
        const written = await world.rowsWrittenBy(() =>
          alice.call('reorderFutureObjectives', { id: mission.id, objectiveIds }),
        )
        expect(written).toMatchObject({
          rows: [],
          refusal: {
            code: 'order_conflict',
            message: expect.stringContaining(`Now it is: ${b.displayId}, ${c.displayId}.`),
            details: { currentOrder: [b.id, c.id] },
          },
        })
      }
      const same = { id: mission.id, objectiveIds: [b.id, c.id] }
      expect(
        await world.rowsWrittenBy(() => alice.call('reorderFutureObjectives', same)),
      ).toMatchObject({ rows: [], refusal: undefined })
    },
  )

  test('decides what a delivery launches next', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], { auto_advance: true })
    const [a, b, c] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await alice.call('reorderFutureObjectives', {
      id: mission.id,
      objectiveIds: [c.id, b.id],
    })
    expect((await agent.deliver()).next).toMatchObject({ objectiveId: c.id, state: 'launching' })
  })

  test(
    'at once with launches and other orders ends in one of them, and refuses what is no longer whole',
    { tags: 'large' },
    async ({ world }) => {
      for (let round = 0; round < 6; round += 1) {
        const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd', 'e'])
        const ids = idsOf(mission.objectives)
        const orders = [ids.toReversed(), [...ids.slice(2), ...ids.slice(0, 2)], ids.toSorted()]
        const launched = mission.objectives[round % 5]
        if (!launched) throw new Error('the mission has five')
        const outcomes = await Promise.allSettled([
          ...orders.map((objectiveIds) =>
            alice.call('reorderFutureObjectives', { id: mission.id, objectiveIds }),
          ),
          alice.launch(launched),
        ])
        const launch = outcomes.pop()
        expect(launch?.status).toBe('fulfilled')
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('order_conflict')
        }
        const { objectives } = await alice.mission(mission)
        expect(objectives.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5])
        expect(objectives[0]?.id).toBe(launched.id)
        const rest = idsOf(objectives.slice(1)).join()
        const possible = [ids, ...orders].map((order) =>
          order.filter((id) => id !== launched.id).join(),
        )
        expect(possible).toContain(rest)
      }
    },
  )

  test('takes the right to change objectives', async ({ world }) => {
    const { mission } = await world.missionWith(['a', 'b'])
    const order = { id: mission.id, objectiveIds: idsOf(mission.objectives).toReversed() }
    for (const [person, code] of [
      [world.vera, 'forbidden'],
      [world.carla, 'not_found'],
    ] as const) {
      const written = await world.rowsWrittenBy(() => person.call('reorderFutureObjectives', order))
      expect(written).toMatchObject({ rows: [], refusal: { code } })
    }
  })
})
