import { sessionsOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a second attach', () => {
  test('of one run among 16 at once: the last one lives, all others are superseded', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { runner, lease } = await world.startedRun(mission.objectives[0])
    await Promise.all(Array.from({ length: 16 }, () => runner.agent(lease).attach()))
    const rows = await sessionsOf(world, mission)
    expect(rows.filter((row) => row.status === 'active')).toHaveLength(1)
    expect(rows.filter((row) => row.end_reason === 'superseded')).toHaveLength(15)
    expect((await alice.mission(mission)).objectives).toHaveLength(2)
  })
})
