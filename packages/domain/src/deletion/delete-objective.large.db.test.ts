import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { remove } from './testing/deleting-objectives.ts'

describe('deleting objectives', () => {
  test('at once with their launches and a claim leaves a run only of what is there', async ({
    world,
  }) => {
    for (let round = 0; round < 6; round += 1) {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd'], {
        allowParallelObjectives: true,
      })
      const runner = await world.connectedRunner({ id: mission.projectId })
      const { objectives } = mission
      const [removed, other] = await Promise.allSettled([
        remove(alice, objectives.slice(0, 3)),
        remove(alice, objectives.slice(1).toReversed()),
        ...objectives.map((one) => alice.launch(one)),
        runner.claim(),
      ])
      const left = (await alice.mission(mission)).objectives
      expect(left.map(({ position }) => position)).toEqual(left.map((_, index) => index + 1))
      const isDeleted = removed.status === 'fulfilled' || other.status === 'fulfilled'
      if (isDeleted) expect(left.length).toBeLessThanOrEqual(2)
      const live = (await alice.requestsOf(mission)).filter(({ status }) => status !== 'cancelled')
      expect(live.every((run) => left.some(({ id }) => id === run.objectiveId))).toBe(true)
    }
  })
})
