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

  test('of the same run replaces the first session', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.startedRun(mission.objectives[0])
    const first = await agent.attach()
    const firstKey = first.sessionKey
    const second = await agent.attach()

    expect(await sessionsOf(world, mission)).toMatchObject([
      { id: first.session.id, status: 'ended', end_reason: 'superseded' },
      { id: second.session.id, status: 'active', end_reason: null },
    ])
    await expect(agent.update({ sessionKey: firstKey })).rejects.toMatchObject({
      code: 'session_ended',
      next: { operation: 'attach', params: {} },
    })
    await agent.update()
  })

  test('of another agent is refused, and told who works', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const start = { objectiveId: mission.objectives[0].displayId }
    await world.agentOf(alice, start).attach({ agentIdentifier: 'first' })
    const second = world.agentOf(world.bob, start)
    const written = await world.rowsWrittenBy(() => second.attach())
    expect(written).toMatchObject({
      rows: [],
      refusal: {
        code: 'session_active',
        details: { agentIdentifier: 'first', lastSeenAt: expect.any(String) },
        next: { operation: 'attach', params: { ...start, takeOver: true } },
      },
    })
  })

  test('that takes over ends the other session and the run behind it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])

    const taken = world.agentOf(world.bob, { objectiveId: mission.objectives[0].displayId })
    const { session } = await taken.attach({
      agentIdentifier: 'second',
      takeOver: true,
    })

    expect(session).toMatchObject({ status: 'active', executionRequestId: null })
    expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'cancelled' })
    expect(await alice.eventsOf(mission)).toContainEqual(
      expect.objectContaining({
        type: 'run_ended',
        objectiveId: mission.objectives[0].id,
        summary: 'second works in place of scripted',
        data: { executionRequestId: lease.id, outcome: 'cancelled' },
      }),
    )
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    expect((await taken.deliver()).objective.state).toBe('complete')
  })

  test('that takes over from an agent without a request is told as well', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const start = { objectiveId: mission.objectives[0].displayId }
    await world.agentOf(alice, start).attach({ agentIdentifier: 'first' })
    await world.agentOf(world.bob, start).attach({ agentIdentifier: 'second', takeOver: true })
    expect(await alice.eventsOf(mission)).toContainEqual(
      expect.objectContaining({
        type: 'run_ended',
        summary: 'second works in place of first',
        actor: expect.objectContaining({ role: 'agent' }),
      }),
    )
  })

  test('without a request, in place of a lost run, ends that run for good', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { lease, runner } = await world.attachedRun(mission.objectives[0])
    await world.advance(20 * 60)
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'lost' })

    const taken = world.agentOf(world.bob, { objectiveId: mission.objectives[0].displayId })
    await taken.attach()

    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    expect(await alice.request(lease)).toMatchObject({ outcome: 'cancelled' })
    const history = await alice.eventsOf(mission)
    expect(history.map((one) => one.type).slice(0, 3)).toEqual([
      'session_attached',
      'run_ended',
      'session_lost',
    ])
    expect((await taken.deliver()).objective.state).toBe('complete')
  })

  test('that takes over, and a renewal of the run that it ends, wait in no circle', async ({
    world,
  }) => {
    const { mission } = await world.missionWith(['a'])
    const { lease, runner } = await world.attachedRun(mission.objectives[0])
    const taken = world.agentOf(world.bob, { objectiveId: mission.objectives[0].displayId })
    const [, ...answers] = await Promise.all([
      taken.attach({ takeOver: true }),
      ...Array.from({ length: 8 }, () => runner.heartbeat(lease)),
    ])
    for (const [answer] of answers) expect([true, false]).toContain(answer?.ok)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
  })

  test("of the agent's own same session replaces the first and keeps its run", async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.startedRun(mission.objectives[0])
    await agent.attach({ externalSessionId: 'native-1' })

    const again = runner.agent(lease, {
      executionRequestId: undefined,
      generation: undefined,
      objectiveId: mission.objectives[0].displayId,
    })
    const { session } = await again.attach({ externalSessionId: 'native-1' })

    expect(session).toMatchObject({ status: 'active', executionRequestId: lease.id })
    await again.deliver()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
  })

  test('of the same session of an agent without a request replaces the first', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, {
      objectiveId: mission.objectives[0].displayId,
      externalSessionId: 'native-2',
    })
    const first = await agent.attach()
    const second = await agent.attach()
    expect(await sessionsOf(world, mission)).toMatchObject([
      { id: first.session.id, end_reason: 'superseded' },
      { id: second.session.id, status: 'active' },
    ])
  })

  test('of a lost run goes on with it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease } = await world.attachedRun(mission.objectives[0])
    await world.advance(1000)
    await world.settle()
    expect(await alice.objective(mission.objectives[0])).toMatchObject({
      state: 'submitted',
      lastOutcome: 'lost',
    })

    const { session } = await agent.attach()

    expect(session.status).toBe('active')
    expect(await alice.request(lease)).toMatchObject({ outcome: 'running' })
    expect(await alice.objective(mission.objectives[0])).toMatchObject({
      state: 'executing',
      lastOutcome: null,
    })
    expect(await sessionsOf(world, mission)).toMatchObject([
      { status: 'ended', end_reason: 'superseded' },
      { status: 'active' },
    ])
  })

  test('among 16 at once leaves one living session and one draft', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const start = { objectiveId: mission.objectives[0].displayId }
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, () => world.agentOf(alice, start).attach()),
    )

    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    const refusals = results
      .filter((one) => one.status === 'rejected')
      .map((one) => one.reason.code)
    expect(new Set(refusals)).toEqual(new Set(['session_active']))
    const rows = await sessionsOf(world, mission)
    expect(rows.filter((row) => row.status === 'active')).toHaveLength(1)
    expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual([
      'executing',
      'draft',
    ])
  })

  test('under one idempotency key is the first one again, its secret included', async ({
    world,
  }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.startedRun(mission.objectives[0])
    const first = await agent.attach({}, { idempotencyKey: 'attach-1' })
    const again = await agent.attach({}, { idempotencyKey: 'attach-1' })
    expect(again).toEqual(first)
    expect(await sessionsOf(world, mission)).toHaveLength(1)
  })
})
