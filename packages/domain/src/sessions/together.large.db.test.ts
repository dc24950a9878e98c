import { outboxOf, sessionsOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { many, workOn } from './testing/working.ts'

describe('many agents of one mission at once', () => {
  test('get all their work through, and leave the objectives in order', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(many, {
      allowParallelObjectives: true,
    })
    const { statuses } = await alice.call('listProjectStatuses', { id: project.id })
    // a status that closes the mission is refused while work goes on in it
    const open = statuses.filter(({ type }) => type !== 'complete' && type !== 'cancelled')
    const moves = open.map((status) =>
      alice.call('moveMission', { id: mission.id, statusId: status.id }),
    )
    const adds = many.map((instruction) =>
      alice.call('addObjectives', { id: mission.id, objectives: [{ instruction }] }),
    )

    await Promise.all([
      ...moves,
      ...adds,
      ...mission.objectives.map((objective) => workOn(world, objective)),
    ])

    const { objectives } = await alice.mission(mission)
    expect(objectives.map((one) => one.position)).toEqual(objectives.map((_, index) => index + 1))
    const states = objectives.map((one) => one.state)
    expect(states.slice(0, many.length)).toEqual(many.map(() => 'complete'))
    expect(states.slice(many.length)).not.toContain('complete')
    expect((await alice.call('listDeliveries', { id: mission.id })).deliveries).toHaveLength(
      many.length,
    )
    expect((await sessionsOf(world, mission)).every((row) => row.end_reason === 'delivered')).toBe(
      true,
    )
    const completed = (await outboxOf(world, mission)).filter(
      (one) => one.type === 'objective.completed',
    )
    expect(completed).toHaveLength(many.length)
  })

  test('of whom each attaches, works and delivers while the sweep runs', async ({ world }) => {
    const { alice, mission } = await world.missionWith(many, { allowParallelObjectives: true })
    const sweeps = Promise.all(Array.from({ length: 10 }, () => world.settle()))
    await Promise.all([sweeps, ...mission.objectives.map((objective) => workOn(world, objective))])
    expect(
      (await alice.mission(mission)).objectives.filter((one) => one.state === 'complete'),
    ).toHaveLength(many.length)
  })
})
