import { sessionsOf } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const hour = 3_600
const quota = { exitCode: 1, agentError: 'You have hit your limit.' } as const

async function ahead(world: World, seconds: number): Promise<string> {
  const { rows } = await sql<{ at: Date }>`
    select app.now() + make_interval(secs => ${seconds}) as at`.execute(world.domain.db)
  return rows[0]?.at.toISOString() ?? ''
}

async function started(world: World) {
  const { alice, project, mission } = await world.missionWith(['write the docs'])
  const [objective] = mission.objectives
  const [laptop, box] = [
    await world.connectedRunner(project, { label: 'laptop' }),
    await world.connectedRunner(project, { label: 'box' }),
  ]
  const { executionRequest: request } = await alice.launch(objective)
  const take = async () => {
    const lease = await laptop.take()
    await laptop.launching(lease)
    await laptop.launched(lease)
    return lease
  }
  const notices = async () =>
    (await alice.call('listNotifications', {})).notifications.filter(
      ({ kind, readAt }) => kind === 'run_held' && readAt === null,
    )
  return { alice, mission, objective, request, laptop, box, take, notices }
}

describe('a limit of the provider before an agent has attached', () => {
  test('gives the run back until its time, costs no attempt, and is told of once', async ({
    world,
  }) => {
    const { alice, objective, request, laptop, take, notices } = await started(world)
    const until = await ahead(world, 3 * hour)

    await laptop.exited(await take(), { ...quota, limit: { kind: 'quota', until } })

    expect(await alice.objective(objective)).toMatchObject({ state: 'launching' })
    expect(await alice.request(request)).toMatchObject({
      status: 'queued',
      attempt: 1,
      lastRelease: { reason: 'quota', until, detail: quota.agentError },
    })
    expect(await notices()).toHaveLength(1)
    await world.advance(3 * hour - 60)
    expect((await laptop.claim()).request).toBeNull()
    await world.advance(60)
    await laptop.exited(await take(), { ...quota, limit: { kind: 'quota' } })
    expect(await alice.request(request)).toMatchObject({ status: 'queued', attempt: 1 })
    expect(await notices()).toEqual([])
  })

  test('waits for 5 minutes, doubling to an hour, where no time is named', async ({ world }) => {
    const { laptop, take } = await started(world)
    for (const seconds of [300, 600, 1200, 2400, 3600, 3600]) {
      await laptop.exited(await take(), { ...quota, limit: { kind: 'rate_limit' } })
      await world.advance(seconds - 10)
      expect((await laptop.claim()).request).toBeNull()
      await world.advance(10)
    }
    await take()
  })

  test('lets another machine take it at once', async ({ world }) => {
    const { request, laptop, box, take } = await started(world)
    await laptop.exited(await take(), { ...quota, limit: { kind: 'signed_out' } })
    expect((await box.take()).id).toBe(request.id)
  })

  test('may be known before anything is started, and is no longer than its runner says', async ({
    world,
  }) => {
    const { request, laptop } = await started(world)
    const until = await ahead(world, hour)
    await laptop.released(await laptop.take(), { reason: 'quota', until, detail: 'Held.' })

    expect((await laptop.claim({ retried: ['other'] })).request).toBeNull()
    expect((await laptop.take({ retried: ['scripted'] })).id).toBe(request.id)
  })

  test('counts as cancelled where a person has called the run off', async ({ world }) => {
    const { alice, request, laptop, take } = await started(world)
    const lease = await take()
    await alice.call('cancelExecutionRequest', { id: request.id })
    await laptop.exited(lease, { ...quota, limit: { kind: 'quota' } })
    expect(await alice.request(request)).toMatchObject({ outcome: 'cancelled' })
  })
})

async function parked(world: World, seconds = 2 * hour) {
  const run = await started(world)
  const lease = await run.take()
  const agent = run.laptop.agent(lease)
  await agent.attach({ externalSessionId: 'native-1' })
  const until = await ahead(world, seconds)
  const report = { ...quota, limit: { kind: 'quota', until } } as const
  await run.laptop.exited(lease, report)
  await run.laptop.exited(lease, report)
  const [resumed] = (await run.alice.call('listExecutionRequests', {})).executionRequests
  if (!resumed) throw new Error('a parked run goes on')
  return { ...run, lease, agent, until, resumed }
}

describe('a limit of the provider that ends an attached agent', () => {
  test('parks its run, which goes on at its time, there and in its conversation', async ({
    world,
  }) => {
    const { alice, mission, objective, laptop, box, lease, agent, until, resumed, notices } =
      await parked(world)

    expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
    expect(await alice.request(lease)).toMatchObject({
      outcome: 'exited',
      exit: { limit: 'quota' },
    })
    expect(resumed).toMatchObject({
      kind: 'resume',
      source: 'limit',
      status: 'queued',
      runAfter: until,
      lastRelease: { reason: 'quota', until },
    })
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'parked' }])
    expect(await notices()).toHaveLength(1)
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await world.advance(2 * hour - 60)
    await world.settle()
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'parked' }])
    expect((await laptop.claim()).request).toBeNull()
    await world.advance(60)
    expect((await box.claim()).request).toBeNull()
    const { request, leaseToken = '' } = await laptop.claim()
    expect(request?.resume).toMatchObject({ externalSessionId: 'native-1' })
    expect(await notices()).toEqual([])
    const again = { id: resumed.id, generation: 1, leaseToken }
    await laptop.launching(again)
    await laptop.launched(again)
    const resumedAgent = laptop.agent(again)
    await resumedAgent.attach()
    expect(await sessionsOf(world, mission)).toMatchObject([
      { status: 'ended', end_reason: 'superseded' },
      { status: 'active' },
    ])
    await resumedAgent.deliver()
    expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
  })

  test('goes on at once where a person says so, and that twice', async ({ world }) => {
    const { alice, objective, laptop, resumed } = await parked(world)
    expect((await alice.resume(objective)).executionRequest).toMatchObject({ id: resumed.id })
    expect(await alice.resume(objective)).toMatchObject({ reused: true })
    expect((await laptop.take()).id).toBe(resumed.id)
  })

  test('may be called off, and launched elsewhere', async ({ world }) => {
    const { alice, mission, objective, box } = await parked(world)
    await alice.call('cancelObjective', { id: objective.displayId })
    expect(await alice.objective(objective)).toMatchObject({ state: 'submitted' })
    expect(await sessionsOf(world, mission)).toMatchObject([{ end_reason: 'cancelled' }])
    await alice.launch(objective)
    await box.take()
  })

  test('is no failure of its queue, which says until when it waits', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a', 'b'])
    const laptop = await world.connectedRunner(project)
    for (const { displayId: objectiveId } of mission.objectives) {
      await alice.call('updateObjective', { id: objectiveId, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId })
    }
    const read = async () => (await alice.call('listRunQueues', { id: project.id })).queues[0]
    await alice.call('startRunQueue', { id: (await read())?.id ?? '' })
    const lease = await laptop.take()
    await laptop.launching(lease)
    await laptop.launched(lease)
    await laptop.agent(lease).attach()
    const until = await ahead(world, hour)
    await laptop.exited(lease, { ...quota, limit: { kind: 'quota', until } })

    const queue = await read()
    expect(queue).toMatchObject({ state: 'running', pausedAt: null })
    expect(queue?.entries).toMatchObject([
      { state: 'running', hold: { agent: 'scripted', reason: 'quota', until } },
      { state: 'waiting', hold: null },
    ])
    expect(queue?.nextSteps).toMatchObject([{ next: { operation: 'retryAgent' } }])
  })

  test('waits for the answer and for the time where its agent had asked', async ({ world }) => {
    const { alice, laptop, take } = await started(world)
    const lease = await take()
    const agent = laptop.agent(lease)
    await agent.attach()
    const { questionId } = await agent.ask()
    const until = await ahead(world, hour)
    await laptop.exited(lease, { ...quota, limit: { kind: 'quota', until } })
    expect(await alice.request(lease)).toMatchObject({ outcome: 'parked' })
    expect((await alice.answer(questionId)).executionRequest).toMatchObject({ runAfter: until })
  })
})

test('a runner says which agents it holds, and whoever waits for one reads until when', async ({
  world,
}) => {
  // runners of other tests are away by then
  await world.advance(hour)
  const { alice, request, laptop, box } = await started(world)
  const until = await ahead(world, hour)
  const heldAgents = [{ key: 'scripted', reason: 'quota' as const, until }]
  await laptop.claim({ agents: [], heldAgents })
  await box.claim({ agents: [] })

  const { runners } = await alice.call('listRunners', {})
  expect(runners.slice(0, 2)).toMatchObject([
    { label: 'box', agents: [], heldAgents: [] },
    { label: 'laptop', agents: [], heldAgents },
  ])
  const { reason } = await alice.call('getExecutionRequest', { id: request.id })
  expect(reason).toContain(`the runner laptop holds scripted`)
  expect(reason).toContain(until)
})
