import type { RouteRequest } from '@svc/contracts/rest'
import { describe, expect } from 'vitest'
import { advanceQueues } from '../run-queues/planner/planner.ts'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'

type Budget = NonNullable<RouteRequest<'updateMission'>['budget']>

async function scene(
  world: World,
  budget: Budget,
  setUp: Parameters<World['missionWith']>[1] = {},
) {
  const { alice, project, mission } = await world.missionWith(['a', 'b', 'c'], setUp)
  const runner = await world.connectedRunner(project)
  const setBudget = (to: Budget) => alice.call('updateMission', { id: mission.id, budget: to })
  await setBudget(budget)
  return { alice, project, mission, runner, setBudget }
}

describe('past its budget nothing more of a mission is launched', () => {
  test.for<[string, Budget, string]>([
    ['money', { usd: '0.3' }, '$0.3'],
    ['tokens', { tokens: 42 }, '42 tokens'],
    ['runs', { runs: 1 }, '1 run'],
  ])('of %s, until a person raises it', async ([, budget, used], { world }) => {
    const { alice, mission, runner, setBudget } = await scene(world, { runs: 9, ...budget })
    const [a, b] = mission.objectives
    const { lease } = await world.attachedRun(a, runner)
    await runner.exited(lease, { usage: { inputTokens: 40, outputTokens: 2, usd: '0.3' } })
    const exhausted = {
      code: 'budget_exhausted',
      details: { used },
      next: {
        operation: 'updateMission',
        params: { id: mission.displayId, budget: expect.any(Object) },
      },
    }
    await expect(alice.launch(b)).rejects.toMatchObject(exhausted)
    await expect(alice.resume(a)).rejects.toMatchObject(exhausted)
    expect((await alice.call('getMissionOverview', { id: mission.id })).nextSteps[0]).toMatchObject(
      {
        next: { operation: 'updateMission' },
      },
    )
    await setBudget({ usd: null, tokens: null, runs: 9 })
    await alice.resume(a)
  })

  test('and what runs goes on, which is said when it is set', async ({ world }) => {
    const { alice, mission, runner, setBudget } = await scene(world, {})
    const [a] = mission.objectives
    const { lease, agent } = await world.attachedRun(a, runner)
    const { mission: now, warnings } = await setBudget({ runs: 1 })
    expect(now.budget).toEqual({ usd: null, tokens: null, runs: 1 })
    expect(warnings).toMatchObject([
      {
        code: 'budget_exhausted',
        message: expect.stringContaining('What runs goes on to its end'),
      },
    ])
    await agent.update()
    await agent.deliver()
    await runner.exited(lease)
    expect((await alice.objective(a)).state).toBe('complete')
  })

  test('but a launch that no runner took gives its place back', async ({ world }) => {
    const { alice, mission } = await scene(world, { runs: 1 })
    const [a, b] = mission.objectives
    await alice.launch(a)
    await alice.launch(a)
    await alice.launch(a, { model: 'large' })
    expect((await alice.mission(mission)).launches).toBe(1)
    await alice.call('cancelObjective', { id: a.id })
    expect((await alice.mission(mission)).launches).toBe(0)
    await alice.launch(b)
  })

  test('after a delivery: what is next awaits approval, with that refusal', async ({ world }) => {
    const { alice, mission, runner } = await scene(world, { runs: 1 }, { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a, runner)
    expect((await agent.deliver()).next).toMatchObject({ state: 'awaiting_approval' })
    expect((await alice.objective(b)).approvalRefusal).toMatchObject({ code: 'budget_exhausted' })
  })

  test('by a run queue, whose entry is held with that reason until it is tried again', async ({
    world,
  }) => {
    const { alice, project, mission, runner, setBudget } = await scene(world, { runs: 1 })
    const [a, b] = mission.objectives
    await alice.call('updateObjective', { id: b.id, assigned_agent: 'scripted' })
    await alice.call('queueObjective', { objectiveId: b.id })
    const { agent } = await world.attachedRun(a, runner)
    await agent.deliver()
    const plan = () => advanceQueues(world.domain)
    const queue = async () => (await alice.call('listRunQueues', { id: project.id })).queues[0]
    expect(await plan()).toBe(0)
    const held = await queue()
    expect(held?.entries).toMatchObject([{ state: 'held', reason: 'budget_exhausted' }])
    expect(held?.nextSteps[0]).toMatchObject({
      next: { operation: 'updateMission', params: { id: mission.displayId } },
      after: { operation: 'retryRunQueueEntry' },
    })
    await setBudget({ runs: 2 })
    await alice.call('retryRunQueueEntry', { id: held?.entries[0]?.id ?? '' })
    expect(await plan()).toBe(1)
    expect((await alice.objective(b)).state).toBe('launching')
  })
})

test('under money alone an agent is launched that says what it costs, and no other', async ({
  world,
}) => {
  const { alice, mission, runner, setBudget } = await scene(world, { usd: '5' })
  const [a, b, c] = mission.objectives
  await alice.call('updateObjective', { id: b.id, assigned_agent: 'other' })
  const refused = { code: 'budget_unknown_cost' }
  await expect(alice.launch(a, { agent: 'other' })).rejects.toMatchObject(refused)
  expect((await setBudget({ usd: '5' })).warnings).toMatchObject([refused])
  await setBudget({ runs: 9 })
  const { lease } = await world.attachedRun(a, runner)
  await runner.exited(lease, { usage: { usd: '0.1' } })
  await setBudget({ runs: null })
  await alice.launch(b, { agent: 'scripted' })
  await alice.call('cancelObjective', { id: b.id })
  await alice.launch(c, { agent: 'claude' })
})

test('a budget is set by a person alone, by the revision that they saw, and is audited', async ({
  world,
}) => {
  const { alice, mission } = await scene(world, {})
  const [a] = mission.objectives
  const { id } = mission
  const budget = { usd: '10' }
  const run = await tokenForObjective(world, alice, a)
  for (const caller of [run, await alice.withPreset('runner'), world.vera]) {
    await expect(caller.call('updateMission', { id, budget })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  const { revision } = await alice.mission(mission)
  const key = { idempotencyKey: 'budget' }
  const set = () => alice.call('updateMission', { id, budget, expectedRevision: revision }, key)
  expect(await set()).toEqual(await set())
  await expect(
    alice.call('updateMission', { id, budget: { usd: '11' }, expectedRevision: revision }),
  ).rejects.toMatchObject({ code: 'revision_mismatch' })
  await alice.call('updateMission', { id, title: 'Same budget', budget })
  const { entries } = await alice.call('listAudit', { action: 'mission.budget_changed' })
  expect(entries[0]).toMatchObject({
    targetId: id,
    details: { displayId: mission.displayId, from: { usd: null }, to: { usd: '10' } },
  })
  expect(entries.filter((one) => one.targetId === id)).toHaveLength(1)
})

test('launches at once under one budget launch as many as it allows', async ({ world }) => {
  const { alice, mission } = await scene(world, { runs: 2 }, { allowParallelObjectives: true })
  const asked = await Promise.allSettled(mission.objectives.map((one) => alice.launch(one)))
  const refused = asked.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as { code?: string }).code] : [],
  )
  expect(refused).toEqual(['budget_exhausted'])
  expect((await alice.mission(mission)).launches).toBe(2)
})
