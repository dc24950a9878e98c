import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

/** An objective whose agent ended without a delivery, and the runner that it ran on. */
async function exitedRun(world: World) {
  const { alice, mission, project } = await world.missionWith(['a'])
  const [objective] = mission.objectives
  const run = await world.attachedRun(objective)
  await run.agent.attach({ externalSessionId: 'native-1' })
  await run.runner.exited(run.lease, { exitCode: 3 })
  return { ...run, alice, mission, project, objective }
}

async function lostRun(world: World) {
  const { alice, mission, project } = await world.missionWith(['a'])
  const [objective] = mission.objectives
  const run = await world.attachedRun(objective)
  await world.advance(1000)
  await world.settle()
  return { ...run, alice, mission, project, objective }
}

describe('a run that ended without a delivery', () => {
  test('is gone on with on its own machine, in its own conversation, up to the delivery', async ({
    world,
  }) => {
    const { alice, project, objective, lease, runner } = await exitedRun(world)
    const { executionRequest, objective: launching, reused } = await alice.resume(objective)
    expect(executionRequest).toMatchObject({ kind: 'resume', status: 'queued', source: 'api' })
    expect(launching).toMatchObject({ state: 'launching', lastOutcome: null })
    expect(reused).toBe(false)
    const other = await world.connectedRunner(project)
    expect((await other.claim()).request).toBeNull()

    const { request, leaseToken = '' } = await runner.claim()
    expect(request?.resume).toMatchObject({ externalSessionId: 'native-1' })
    const taken = { id: executionRequest.id, generation: 1, leaseToken }
    await runner.launching(taken)
    await runner.launched(taken)
    const agent = runner.agent(taken)
    await agent.attach()
    await agent.deliver()
    expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
    expect(await alice.request(lease)).toMatchObject({ outcome: 'exited' })
  })

  test('is gone on with once, however often and from wherever that is asked', async ({ world }) => {
    const { alice, mission, objective } = await exitedRun(world)
    const all = await Promise.all(Array.from({ length: 6 }, () => alice.resume(objective)))
    expect(new Set(all.map(({ executionRequest }) => executionRequest.id)).size).toBe(1)
    expect(all.filter(({ reused }) => !reused)).toHaveLength(1)
    expect(await alice.requestsOf(mission)).toHaveLength(2)
  })

  test('can be gone on with again where going on failed', async ({ world }) => {
    const { alice, objective, runner } = await exitedRun(world)
    await alice.resume(objective)
    await runner.failed(await runner.take())
    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'exited',
    })
    const { executionRequest } = await alice.resume(objective)
    expect(executionRequest).toMatchObject({ kind: 'resume', status: 'queued' })
  })

  test('gives way to a launch that begins anew, while nobody has taken it', async ({ world }) => {
    const { alice, project, objective } = await exitedRun(world)
    const { executionRequest } = await alice.resume(objective)
    const anew = await alice.launch(objective)
    expect(anew).toMatchObject({ reused: false, executionRequest: { kind: 'run' } })
    expect(await alice.request(executionRequest)).toMatchObject({ status: 'cancelled' })
    const other = await world.connectedRunner(project)
    expect((await other.claim()).request?.executionRequest.id).toBe(anew.executionRequest.id)
    await expect(alice.resume(objective)).rejects.toMatchObject({
      code: 'objective_not_launchable',
    })
  })

  test('warns where its machine is not there', async ({ world }) => {
    const { alice, project, objective } = await exitedRun(world)
    await world.advance(3600)
    await world.connectedRunner(project)
    const { warnings } = await alice.resume(objective)
    expect(warnings).toMatchObject([
      { code: 'agent_not_available', next: { operation: 'listRunners' } },
    ])
  })

  test('leaves the queue that holds it', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await alice.call('updateObjective', { id: objective.id, assigned_agent: 'scripted' })
    const { queue } = await alice.call('queueObjective', { objectiveId: objective.id })
    const runner = await world.connectedRunner(project)
    await alice.call('startRunQueue', { id: queue.id })
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    await runner.agent(lease).attach()
    await runner.exited(lease)
    const entries = async () => (await alice.call('listRunQueues', project)).queues[0]?.entries
    expect(await entries()).toMatchObject([{ reason: 'run_exited' }])
    expect((await alice.resume(objective)).warnings).toMatchObject([
      { code: 'left_queue', message: 'It has left the queue Default, which is paused.' },
    ])
    expect(await entries()).toEqual([])
  })
})

describe('a run that was lost', () => {
  test('is gone on with, and what comes back of it learns that another went on', async ({
    world,
  }) => {
    const { alice, objective, runner, lease, agent } = await lostRun(world)
    await alice.resume(objective)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    const again = await runner.take()
    await runner.launching(again)
    await runner.launched(again)
    const resumed = runner.agent(again)
    await resumed.attach()
    await resumed.deliver()
    expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
  })

  test('can still be gone on with after that was called off before it began', async ({ world }) => {
    const { alice, objective, lease } = await lostRun(world)
    await alice.resume(objective)
    await alice.call('cancelObjective', { id: objective.id })
    expect(await alice.objective(objective)).toMatchObject({ lastOutcome: 'cancelled' })
    const { executionRequest } = await alice.resume(objective)
    expect(executionRequest).toMatchObject({ kind: 'resume', status: 'queued' })
    const resumeOf = sql`select resume_of from execution_requests where id = ${executionRequest.id}`
    expect((await resumeOf.execute(world.domain.db)).rows).toEqual([{ resume_of: lease.id }])
  })

  test('is not gone on with by who may not launch', async ({ world }) => {
    const { objective } = await lostRun(world)
    await expect(world.vera.resume(objective)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world.carla.resume(objective)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('nothing is gone on with', () => {
  test('where nothing ran, was delivered, was called off or runs: each says what helps', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const [never, called, done] = mission.objectives
    const refused = (next: object) => ({ code: 'objective_not_launchable', next })
    const launch = { operation: 'launchObjective', params: { id: `${never.displayId}` } }
    await expect(alice.resume(never)).rejects.toMatchObject(refused(launch))

    const { runner } = await world.startedRun(called)
    await expect(alice.resume(called)).rejects.toMatchObject(
      refused({ operation: 'getExecutionRequest' }),
    )
    await alice.call('cancelObjective', { id: called.id })
    await expect(alice.resume(called)).rejects.toMatchObject({ code: 'objective_not_launchable' })

    const { agent } = await world.attachedRun(done, runner)
    await agent.deliver()
    await expect(alice.resume(done)).rejects.toMatchObject(refused({ operation: 'addObjectives' }))
  })

  test('where an agent that nobody launched worked on it since', async ({ world }) => {
    const { alice, objective, runner, lease } = await lostRun(world)
    await runner.exited(lease)
    expect(await alice.request(lease)).toMatchObject({ outcome: 'lost', workedOnSince: false })
    await world.agentOf(alice, { objectiveId: objective.displayId }).attach()
    await world.advance(1000)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({ lastOutcome: 'lost' })
    expect(await alice.request(lease)).toMatchObject({ outcome: 'lost', workedOnSince: true })
    await expect(alice.resume(objective)).rejects.toMatchObject({
      code: 'objective_not_launchable',
      message: expect.stringContaining('and nobody at work on it since'),
    })
  })
})
