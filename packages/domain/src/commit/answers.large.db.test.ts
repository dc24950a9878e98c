import type { Objective } from '@svc/contracts/objective'
import type { StatusType } from '@svc/contracts/states'
import { outboxOf } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

/** A run that has asked a question and of which nothing was heard since: it is parked, and its use is not counted yet. */
async function silentRun(world: World, objective: Objective) {
  const run = await world.attachedRun(objective)
  await run.agent.ask()
  return run
}

async function statusOf(world: World, { projectId }: { projectId: string }, type: StatusType) {
  const { statuses } = await world.alice.call('listProjectStatuses', { id: projectId })
  return statuses.find((one) => one.type === type)?.id ?? ''
}

describe('what a call answers is what it has written', () => {
  test('of a mission that is closed over queued and silent runs', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const [a, b, c] = mission.objectives
    await silentRun(world, a)
    await silentRun(world, b)
    await alice.launch(c)
    await world.advance(1_000)
    await world.settle()
    expect((await alice.requestsOf(mission)).map(({ outcome }) => outcome)).toEqual([
      null,
      'parked',
      'parked',
    ])

    const statusId = await statusOf(world, mission, 'cancelled')
    const closed = await alice.call('moveMission', {
      id: mission.id,
      statusId,
      cancelRunning: true,
    })

    const { objectives, ...then } = await alice.mission(mission)
    expect(closed.mission).toEqual(then)
    expect(then).toMatchObject({ launches: 2, hasOpenQuestion: false, usage: { runs: 2 } })
    const published = await outboxOf(world, mission)
    const last = new Map(
      published.flatMap(({ snapshot }) => {
        const { objective } = snapshot as { objective?: { id: string; position: number } }
        return objective ? [[objective.id, objective.position] as const] : []
      }),
    )
    expect(last.size).toBe(3)
    expect(objectives.map(({ id, position }) => [id, position])).toEqual(
      objectives.map(({ id }) => [id, last.get(id)]),
    )
  })

  test('of an objective whose silent run is cancelled', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { lease } = await silentRun(world, objective)
    await world.advance(1_000)
    await world.settle()

    const cancelled = await alice.call('cancelExecutionRequest', { id: lease.id })

    expect(cancelled.objective).toEqual(await alice.objective(objective))
    expect(cancelled.objective.usage.runs).toBe(1)
  })

  test('of a mission in review to which another agent delivers, and whose next is launched', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const [a, b] = mission.objectives
    const first = await world.attachedRun(a)
    const second = await world.attachedRun(b)
    await first.agent.deliver()
    await expectToStay(world, mission, () => second.agent.deliver())

    const { mission: other } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const { agent } = await world.attachedRun(other.objectives[0])
    await expectToStay(world, other, () => agent.deliver())
    expect(await alice.mission(other)).toMatchObject({ launches: 2 })
  })

  test('of a mission whose silent run an agent takes over, or whose launch is done by hand', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    const [a, b] = mission.objectives
    await silentRun(world, a)
    await world.advance(1_000)
    await world.settle()
    await alice.launch(b)

    const attach = () =>
      world.agentOf(alice, { objectiveId: a.displayId }).attach({ takeOver: true })
    const record = () =>
      alice.protocol('record-work', { objectiveId: b.displayId, summary: 'Done by hand.' })
    await expectToStay(world, mission, attach)
    await expectToStay(world, mission, record)
    expect(await alice.mission(mission)).toMatchObject({
      hasOpenQuestion: false,
      launches: 1,
      usage: { runs: 1 },
    })
  })
})

/** The mission is read as the call has answered it. */
async function expectToStay(
  { alice }: World,
  mission: { id: string },
  call: () => Promise<{ mission: object }>,
): Promise<void> {
  const { mission: answered } = await call()
  const { objectives: _others, ...read } = await alice.mission(mission)
  expect(answered).toEqual(read)
}
