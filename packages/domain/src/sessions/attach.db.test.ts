import { sessionsOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('attaching', () => {
  test(
    verifies(
      [
        'attach.executing',
        'attach.opens-session',
        'attach.links-request',
        'attach.mission-execute',
        'protocol.attach',
      ],
      'executes the objective in a session that is linked to its request',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { agent, lease } = await world.startedRun(mission.objectives[0])

      const attached = await agent.attach()

      expect(attached.currentObjective).toMatchObject({
        id: mission.objectives[0].id,
        state: 'executing',
      })
      expect(attached.session).toMatchObject({
        executionRequestId: lease.id,
        status: 'active',
        phase: 'execute',
      })
      expect(await alice.request(lease)).toMatchObject({
        status: 'launched',
        outcome: 'running',
        sessionId: attached.session.id,
      })
      expect(await alice.mission(mission)).toMatchObject({
        phase: 'execute',
        status: { type: 'execute' },
      })
      expect(await sessionsOf(world, mission)).toMatchObject([
        { id: attached.session.id, status: 'active' },
      ])
    },
  )

  test(
    verifies(['session.fields', 'session.title-format'], 'names the session after the objective'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const [objective] = mission.objectives
      const agent = world.agentOf(alice, { objectiveId: objective.displayId })

      const { session, sessionKey } = await agent.attach({
        agentIdentifier: 'My Agent',
        modelIdentifier: 'Claude Opus 4.5',
      })

      expect(session).toMatchObject({
        agentIdentifier: 'My Agent',
        modelIdentifier: 'Claude Opus 4.5',
        phase: 'execute',
      })
      expect(session.title).toBe(`${objective.displayId} - write the docs`)
      expect(sessionKey).toMatch(/^sess_[A-Za-z0-9_-]{43}$/)
      const rows = await sessionsOf(world, mission)
      expect(rows).toMatchObject([
        { agent_identifier: 'My Agent', model_identifier: 'Claude Opus 4.5', phase: 'execute' },
      ])
      expect(JSON.stringify(rows)).not.toContain(sessionKey)
    },
  )

  test('names no agent for later launches, and leaves the one that is named', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], {
      allowParallelObjectives: true,
    })
    const [a, b] = mission.objectives
    await alice.call('updateObjective', { id: b.id, assigned_agent: 'other' })
    await world
      .agentOf(alice, { objectiveId: a.displayId })
      .attach({ agentIdentifier: 'My Agent!' })
    await world.agentOf(alice, { objectiveId: b.displayId }).attach()
    expect(await alice.objective(a)).toMatchObject({ assigned_agent: null })
    expect(await alice.objective(b)).toMatchObject({ assigned_agent: 'other' })
  })

  test(
    verifies('attach.ensures-next-draft', 'leaves one objective to come, once'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['only one'])
      const { agent } = await world.startedRun(mission.objectives[0])

      const first = await agent.attach()
      const second = await agent.attach()

      expect(first.futureObjectives).toMatchObject([{ state: 'draft', instruction: '' }])
      expect(second.futureObjectives).toEqual(first.futureObjectives)
      expect((await alice.mission(mission)).objectives.map((one) => one.position)).toEqual([1, 2])
    },
  )

  test('adds no draft where something is left to start', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'])
    await world.attachedRun(mission.objectives[0])
    expect((await alice.mission(mission)).objectives).toHaveLength(2)
  })

  test(
    verifies('attach.exact-binding', 'binds each of two sessions to its own objective'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const [a, b] = mission.objectives
      const one = await world.agentOf(alice, { objectiveId: a.displayId }).attach()
      const two = await world.agentOf(alice, { objectiveId: b.displayId }).attach()
      expect([one.session.objectiveId, two.session.objectiveId]).toEqual([a.id, b.id])
      expect((await sessionsOf(world, mission)).map((row) => row.objective_id)).toEqual([
        a.id,
        b.id,
      ])
    },
  )

  test('tells the history once, as the agent that it is', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { session } = await world.agentOf(alice, { missionId: mission.id }).attach()
    const events = (await alice.eventsOf(mission)).filter((one) => one.type === 'session_attached')
    const data = { sessionId: session.id, agent: session.agentIdentifier }
    expect(events).toMatchObject([{ actor: { role: 'agent' }, data }])
  })

  test('is refused to a viewer, to another workspace and to a token of another project, with nothing written', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const other = await world.projectWith()
    const bound = await alice.withToken({ preset: 'mission_lifecycle', projectIds: [other.id] })
    for (const [caller, code] of [
      [world.vera, 'forbidden'],
      [world.carla, 'not_found'],
      [bound, 'not_found'],
    ] as const) {
      const written = await world.rowsWrittenBy(() =>
        world.agentOf(caller, { missionId: mission.id }).attach(),
      )
      expect(written).toMatchObject({ rows: [], refusal: { code } })
    }
  })

  test('tells a token of another project nothing of what the mission holds', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const bound = await alice.withToken({
      preset: 'mission_lifecycle',
      projectIds: [(await world.projectWith()).id],
    })
    await expect(world.agentOf(bound, { missionId: mission.id }).attach()).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
