import { randomUUID } from 'node:crypto'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('a renewal', () => {
  test('keeps a claimed run its runner’s for as long as it comes', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner({ id: mission.projectId })
    const lease = await runner.take()

    for (let times = 1; times <= 4; times += 1) {
      await world.advance(50)
      expect(await runner.heartbeat(lease)).toMatchObject([
        {
          requestId: lease.id,
          ok: true,
          attached: false,
          outcome: null,
          leaseExpiresInSeconds: 60,
        },
      ])
      await world.settle()
    }

    expect(await alice.requestsOf(mission)).toMatchObject([{ status: 'claimed', attempt: 1 }])
  })

  test('says what became of each lease on its own', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const other = await world.missionWith(['write the tests'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const failed = await world.startedRun(other.mission.objectives[0])
    await failed.runner.exited(failed.lease)
    const unknown = { ...lease, id: randomUUID() }
    const forged = { ...lease, leaseToken: failed.lease.leaseToken }

    expect(await runner.heartbeat(lease, failed.lease, unknown, forged)).toMatchObject([
      { requestId: lease.id, ok: true, attached: true, outcome: 'running' },
      { requestId: failed.lease.id, ok: false, reason: 'failed' },
      { requestId: unknown.id, ok: false, reason: 'not_found' },
      { requestId: lease.id, ok: false, reason: 'superseded' },
    ])
  })

  test('of a lapsed lease is good until somebody else has the run', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner({ id: mission.projectId })
    const lease = await runner.take()
    await world.advance(70)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true }])
    await world.advance(76)
    await world.settle()

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    expect((await runner.take()).id).toBe(lease.id)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
  })

  test('goes on after the delivery until the exit is reported', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'delivered' }])
    await runner.exited(lease)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'launched' }])
  })

  test('learns from a take-over that its run was superseded', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await world
      .agentOf(alice, { missionId: mission.id, agentIdentifier: 'by hand', takeOver: true })
      .attach()

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
  })

  test('of a run that is not there for the caller tells nothing', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { lease } = await world.attachedRun(mission.objectives[0])
    const stranger = await world.carla.withPreset('runner')
    const named = { requestId: lease.id, leaseToken: lease.leaseToken, state: 'running' as const }

    const { leases } = await stranger.call('heartbeatRunner', {
      instanceId: randomUUID(),
      leases: [named],
    })

    expect(leases).toEqual([{ requestId: lease.id, ok: false, reason: 'not_found' }])
  })

  test('without a lease keeps the runner connected', async ({ world }) => {
    const project = await world.projectWith()
    const runner = await world.connectedRunner(project, { label: 'kept alive' })
    const stateOf = async () => {
      const { runners } = await world.alice.call('listRunners', {})
      return runners.find((one) => one.label === 'kept alive')?.state
    }

    await world.advance(40)
    await runner.heartbeat()
    await world.advance(40)
    expect(await stateOf()).toBe('connected')
    await world.advance(21)
    expect(await stateOf()).toBe('unavailable')
  })
})

describe('a lost run whose supervisor is heard of again', () => {
  test('goes on where it was', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
    await world.advance(901)
    await world.settle()
    expect((await alice.objective(mission.objectives[0])).lastOutcome).toBe('lost')

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'running' }])

    expect(await alice.objective(mission.objectives[0])).toMatchObject({
      state: 'executing',
      lastOutcome: null,
    })
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('stays lost while another objective is active, and may still deliver', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
    await world.advance(901)
    await world.settle()
    await alice.launch(mission.objectives[1])

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'lost' }])
    await expect(agent.update()).rejects.toMatchObject({ code: 'mission_busy' })
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('is superseded once the objective was launched again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
    await world.advance(901)
    await world.settle()
    await alice.launch(mission.objectives[0])

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    await runner.failed(await runner.take())
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])

    expect((await alice.objective(mission.objectives[0])).state).toBe('submitted')
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
  })
})
