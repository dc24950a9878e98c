import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { many, workOn } from './testing/working.ts'

describe('many agents of one mission at once', () => {
  test('of whom each attaches, works and delivers while the sweep runs', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many, { allowParallelObjectives: true })
    const sweeps = Promise.all(Array.from({ length: 10 }, () => world.settle()))
    await Promise.all([sweeps, ...mission.objectives.map((objective) => workOn(world, objective))])
    expect(
      (await alice.mission(mission)).objectives.filter((one) => one.state === 'complete'),
    ).toHaveLength(many.length)
  })
})
