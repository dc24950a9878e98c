import { verifies } from '@svc/testing/verifies'
import { type World, test } from '@svc/testing/world'
import { describe, expect } from 'vitest'

const refusedWith = (code: string, details: object) => ({ code, details: expect.objectContaining(details) })

describe('attaching', () => {
  test(
    verifies(
      ['attach.executing', 'attach.opens-session', 'attach.links-request', 'attach.mission-execute', 'protocol.attach'],
      'executes the objective in a session that is linked to its request',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { agent, lease } = await world.startedRun(mission.objectives[0])

      const attached = await agent.attach()

      expect(attached.currentObjective).toMatchObject({ id: mission.objectives[0].id, state: 'executing' })
      expect(attached.session).toMatchObject({ executionRequestId: lease.id, status: 'active', phase: 'execute' })
      expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'running', sessionId: attached.session.id })
      expect(await alice.mission(mission)).toMatchObject({ phase: 'execute', status: { type: 'execute' } })
      expect(await sessionsOf(world, mission)).toMatchObject([{ id: attached.session.id, status: 'active' }])
    },
  )

  test(verifies(['session.fields', 'session.title-format'], 'names the session after the objective'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const [objective] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: objective.displayId })

    const { session, sessionKey } = await agent.attach({ agentIdentifier: 'My Agent', modelIdentifier: 'm-1' })

    expect(session).toMatchObject({ agentIdentifier: 'My Agent', modelIdentifier: 'm-1', phase: 'execute' })
    expect(session.title).toBe(`${objective.displayId} - write the docs`)
    expect(sessionKey).toMatch(/^sess_[A-Za-z0-9_-]{43}$/)
    const rows = await sessionsOf(world, mission)
    expect(rows).toMatchObject([{ agent_identifier: 'My Agent', model_identifier: 'm-1', phase: 'execute' }])
    expect(JSON.stringify(rows)).not.toContain(sessionKey)
  })

  test('assigns an agent that came by itself, and leaves an assigned one', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
    const [a, b] = mission.objectives
    await alice.call('updateObjective', { id: b.id, assigned_agent: 'other' })
    await world.agentOf(alice, { objectiveId: a.displayId }).attach({ agentIdentifier: 'My Agent!' })
    await world.agentOf(alice, { objectiveId: b.displayId }).attach()
    expect(await alice.objective(a)).toMatchObject({ assigned_agent: 'my-agent' })
    expect(await alice.objective(b)).toMatchObject({ assigned_agent: 'other' })
  })

  test(verifies('attach.ensures-next-draft', 'leaves one objective to come, once'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['only one'])
    const { agent } = await world.startedRun(mission.objectives[0])

    const first = await agent.attach()
    const second = await agent.attach()

    expect(first.futureObjectives).toMatchObject([{ state: 'draft', instruction: '' }])
    expect(second.futureObjectives).toEqual(first.futureObjectives)
    expect((await alice.mission(mission)).objectives.map((one) => one.position)).toEqual([1, 2])
  })

  test('adds no draft where something is left to start', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'])
    await world.attachedRun(mission.objectives[0])
    expect((await alice.mission(mission)).objectives).toHaveLength(2)
  })

  test(verifies('attach.exact-binding', 'binds each of two sessions to its own objective'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
    const [a, b] = mission.objectives
    const one = await world.agentOf(alice, { objectiveId: a.displayId }).attach()
    const two = await world.agentOf(alice, { objectiveId: b.displayId }).attach()
    expect([one.session.objectiveId, two.session.objectiveId]).toEqual([a.id, b.id])
    expect((await sessionsOf(world, mission)).map((row) => row.objective_id)).toEqual([a.id, b.id])
  })

  test('tells the history once, as the agent that it is', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { session } = await world.agentOf(alice, { missionId: mission.id }).attach()
    const events = (await alice.eventsOf(mission)).filter((one) => one.type === 'session_attached')
    expect(events).toMatchObject([{ actor: { role: 'agent' }, data: { sessionId: session.id } }])
  })

  test('is refused to a viewer, to another workspace and to a token of another project, with nothing written', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const other = await world.projectWith()
    const bound = await alice.withToken({ preset: 'mission_lifecycle', projectIds: [other.id] })
    for (const [caller, code] of [[world.vera, 'forbidden'], [world.carla, 'not_found'], [bound, 'not_found']] as const) {
      const written = await world.rowsWrittenBy(() => world.agentOf(caller, { missionId: mission.id }).attach())
      expect(written).toMatchObject({ rows: [], refusal: { code } })
    }
  })

  test('tells a token of another project nothing of what the mission holds', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const bound = await alice.withToken({
      preset: 'mission_lifecycle',
      projectIds: [(await world.projectWith()).id],
    })
    await expect(world.agentOf(bound, { missionId: mission.id }).attach()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('what is attached to', () => {
  test(verifies('attach.pin-order', 'is the objective named, whatever request is named beside it'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
    const [a, b] = mission.objectives
    const { agent, lease } = await world.startedRun(b)

    const attached = await agent.attach({ objectiveId: a.displayId })

    expect(attached.currentObjective?.id).toBe(a.id)
    expect(attached.session.executionRequestId).toBeNull()
    expect(await alice.request(lease)).toMatchObject({ status: 'launched', sessionId: null })
  })

  test('is the objective named, though the request named is of another mission', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { mission: other } = await world.missionWith(['b'])
    const { agent } = await world.startedRun(other.objectives[0])
    const attached = await agent.attach({ objectiveId: mission.objectives[0].displayId })
    expect(attached.currentObjective?.id).toBe(mission.objectives[0].id)
  })

  test(verifies('attach.pin-by-request', "is the request's objective, though another one is active"), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
    const [a, b] = mission.objectives
    await world.agentOf(alice, { objectiveId: a.displayId }).attach()
    const { agent } = await world.startedRun(b)
    expect((await agent.attach()).currentObjective?.id).toBe(b.id)
  })

  test(verifies('attach.pin-by-picker', 'is the active objective when only the mission is named'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [, b] = mission.objectives
    await world.startedRun(b)
    const attached = await world.agentOf(alice, { missionId: mission.displayId }).attach()
    expect(attached.currentObjective?.id).toBe(b.id)
  })

  test('is the next one up when none is active, past those without an instruction', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['', 'b', 'c'])
    const attached = await world.agentOf(alice, { missionId: mission.id }).attach()
    expect(attached.currentObjective?.id).toBe(mission.objectives[1].id)
  })

  test('may be a blank objective when it is named', async ({ world }) => {
    const { alice, mission } = await world.missionWith([''])
    await expect(world.agentOf(alice, { missionId: mission.id }).attach()).rejects.toMatchObject({ code: 'nothing_to_attach' })
    const attached = await world.agentOf(alice, { objectiveId: mission.objectives[0].displayId }).attach()
    expect(attached.currentObjective).toMatchObject({ id: mission.objectives[0].id, state: 'executing' })
  })

  test('must be named while several are active', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
    const [a, b] = mission.objectives
    await world.agentOf(alice, { objectiveId: a.displayId }).attach()
    await world.agentOf(alice, { objectiveId: b.displayId }).attach()
    const candidates = [a, b].map((one) => expect.objectContaining({ objectiveId: one.id, displayId: one.displayId }))
    const agent = world.agentOf(alice, { missionId: mission.id })
    await expect(agent.attach()).rejects.toMatchObject(refusedWith('ambiguous_objective', { candidates }))
    await expect(alice.protocol('load-context', { missionId: mission.id })).rejects.toMatchObject({ code: 'ambiguous_objective' })
  })

  test.for([
    ['nothing', {}],
    ["an objective's UUID alone", { objectiveId: true }],
  ] as const)(verifies('args.uuid-needs-mission-id', 'is refused when %s names it'), async ([, named], { world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const start = 'objectiveId' in named ? { objectiveId: objective.id } : {}
    await expect(world.agentOf(alice, start).attach()).rejects.toMatchObject({ code: 'validation_failed' })
    const whole = { objectiveId: objective.id, missionId: mission.id }
    expect((await world.agentOf(alice, whole).attach()).currentObjective?.id).toBe(objective.id)
  })

  test('cannot be an objective of another mission than the one named', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { mission: other } = await world.missionWith(['b'])
    const start = { missionId: other.id, objectiveId: mission.objectives[0].id }
    await expect(world.agentOf(alice, start).attach()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('cannot be a second objective of a serial mission', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [a, b] = mission.objectives
    await world.attachedRun(a)
    const written = await world.rowsWrittenBy(() => world.agentOf(alice, { objectiveId: b.displayId }).attach())
    expect(written).toMatchObject({ rows: [], refusal: { code: 'mission_busy', details: { objectiveId: a.id } } })
  })

  test('cannot be one that is complete', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    const again = world.agentOf(alice, { objectiveId: mission.objectives[0].displayId })
    await expect(again.attach()).rejects.toMatchObject(refusedWith('objective_not_launchable', { state: 'complete' }))
  })

  describe('while it awaits approval', () => {
    test('is refused unless it is named by somebody who may launch', async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [a, b] = mission.objectives
      await (await world.attachedRun(a)).agent.deliver()
      expect((await alice.objective(b)).state).toBe('awaiting_approval')
      const runner = await alice.withPreset('runner')

      await expect(world.agentOf(alice, { missionId: mission.id }).attach()).rejects.toMatchObject({ code: 'nothing_to_attach' })
      await expect(world.agentOf(runner, { objectiveId: b.displayId }).attach()).rejects.toMatchObject({ code: 'forbidden' })
      expect((await alice.objective(b)).state).toBe('awaiting_approval')

      await world.agentOf(alice, { objectiveId: b.displayId }).attach()
      expect(await alice.objective(b)).toMatchObject({ state: 'executing', approvalRefusal: null })
    })
  })
})

describe('the request', () => {
  test.for(['queued', 'claimed'] as const)('that is %s is cancelled when an agent comes without it', async (status, { world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { executionRequest } = await alice.launch(objective)
    const runner = await world.connectedRunner(project)
    const lease = status === 'claimed' ? await runner.take() : undefined

    const { session } = await world.agentOf(alice, { objectiveId: objective.displayId }).attach()

    expect(session.executionRequestId).toBeNull()
    expect((await alice.request(executionRequest)).status).toBe('cancelled')
    if (lease) await expect(runner.launching(lease)).rejects.toMatchObject({ code: 'lease_lost' })
    expect((await runner.claim()).request).toBeNull()
  })

  test(
    verifies('attach.no-request-no-link', 'is linked where none is named, if it waits for its agent, and only then'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], { allowParallelObjectives: true })
      const [a, b] = mission.objectives
      const { lease } = await world.startedRun(a)

      const forgetful = await world.agentOf(alice, { objectiveId: a.displayId }).attach()
      const alone = await world.agentOf(alice, { objectiveId: b.displayId }).attach()

      expect(forgetful.session.executionRequestId).toBe(lease.id)
      expect(alone.session.executionRequestId).toBeNull()
    },
  )

  test('is linked before its launch was reported', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner(project)
    const lease = await runner.take()
    await runner.launching(lease)
    const { session } = await runner.agent(lease).attach()
    expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'running', sessionId: session.id })
    expect(await runner.launched(lease)).toMatchObject({ outcome: 'running' })
  })

  test('of an older generation may not attach', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { runner, lease, agent } = await world.startedRun(mission.objectives[0])
    await runner.exited(lease, { cause: 'supervisor_lost' })
    await expect(agent.attach()).rejects.toMatchObject({ code: 'stale_execution' })
    const next = await runner.take()
    await runner.launching(next)
    await expect(agent.attach()).rejects.toMatchObject({ code: 'stale_execution' })
    expect((await runner.agent(next).attach()).session.executionRequestId).toBe(next.id)
  })

  test('may leave its generation out while it is the first', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { lease } = await world.startedRun(mission.objectives[0])
    const { session } = await world.agentOf(alice, { executionRequestId: lease.id }).attach()
    expect(session.executionRequestId).toBe(lease.id)
  })

  test.for(['queued', 'claimed', 'failed'] as const)('that is %s may not attach by its name', async (status, { world }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const { executionRequest } = await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner(project)
    const lease = status === 'queued' ? undefined : await runner.take()
    if (lease && status === 'failed') await runner.failed(lease)
    const start = { executionRequestId: executionRequest.id, generation: lease?.generation ?? 1 }
    const written = await world.rowsWrittenBy(() => world.agentOf(alice, start).attach())
    expect(written).toMatchObject({ rows: [], refusal: { code: 'stale_execution', details: { status } } })
  })

  test('that was delivered may not attach again', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    const written = await world.rowsWrittenBy(() => agent.attach())
    expect(written).toMatchObject({ rows: [], refusal: { code: 'objective_not_launchable' } })
  })
})

describe('a second attach', () => {
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
    await expect(agent.update({ sessionKey: firstKey })).rejects.toMatchObject({ code: 'session_ended' })
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
      refusal: { code: 'session_active', details: { agentIdentifier: 'first', lastSeenAt: expect.any(String) } },
    })
  })

  test('that takes over ends the other session and the run behind it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])

    const taken = world.agentOf(world.bob, { objectiveId: mission.objectives[0].displayId })
    const { session } = await taken.attach({ takeOver: true })

    expect(session).toMatchObject({ status: 'active', executionRequestId: null })
    expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'cancelled' })
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    expect((await taken.deliver()).objective.state).toBe('complete')
  })

  test("of the agent's own same session replaces the first and keeps its run", async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.startedRun(mission.objectives[0])
    await agent.attach({ externalSessionId: 'native-1' })

    const again = runner.agent(lease, { executionRequestId: undefined, generation: undefined, objectiveId: mission.objectives[0].displayId })
    const { session } = await again.attach({ externalSessionId: 'native-1' })

    expect(session).toMatchObject({ status: 'active', executionRequestId: lease.id })
    await again.deliver()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
  })

  test('of the same session of an agent without a request replaces the first', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { objectiveId: mission.objectives[0].displayId, externalSessionId: 'native-2' })
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
    expect(await alice.objective(mission.objectives[0])).toMatchObject({ state: 'submitted', lastOutcome: 'lost' })

    const { session } = await agent.attach()

    expect(session.status).toBe('active')
    expect(await alice.request(lease)).toMatchObject({ outcome: 'running' })
    expect(await alice.objective(mission.objectives[0])).toMatchObject({ state: 'executing', lastOutcome: null })
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'ended', end_reason: 'superseded' }, { status: 'active' }])
  })

  test('among 16 at once leaves one living session and one draft', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const start = { objectiveId: mission.objectives[0].displayId }
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => world.agentOf(alice, start).attach()))

    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    const refusals = results.filter((one) => one.status === 'rejected').map((one) => one.reason.code)
    expect(new Set(refusals)).toEqual(new Set(['session_active']))
    const rows = await sessionsOf(world, mission)
    expect(rows.filter((row) => row.status === 'active')).toHaveLength(1)
    expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual(['executing', 'draft'])
  })

  test('of one run among 16 at once: the last one lives, all others are superseded', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { runner, lease } = await world.startedRun(mission.objectives[0])
    await Promise.all(Array.from({ length: 16 }, () => runner.agent(lease).attach()))
    const rows = await sessionsOf(world, mission)
    expect(rows.filter((row) => row.status === 'active')).toHaveLength(1)
    expect(rows.filter((row) => row.end_reason === 'superseded')).toHaveLength(15)
    expect((await alice.mission(mission)).objectives).toHaveLength(2)
  })

  test('under one idempotency key is the first one again, its secret included', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.startedRun(mission.objectives[0])
    const first = await agent.attach({}, { idempotencyKey: 'attach-1' })
    const again = await agent.attach({}, { idempotencyKey: 'attach-1' })
    expect(again).toEqual(first)
    expect(await sessionsOf(world, mission)).toHaveLength(1)
  })
})

function sessionsOf(world: World, mission: { id: string }) {
  return world.domain.db.selectFrom('agent_sessions').selectAll().where('mission_id', '=', mission.id).orderBy('id').execute()
}
