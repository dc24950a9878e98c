import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

describe('with auto-advance on, a delivery', () => {
  test(
    verifies(
      ['advance.launches-next', 'advance.request'],
      'launches the next objective as a launch does',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
      const [a, b] = mission.objectives
      const { agent } = await world.attachedRun(a)

      const { next } = await agent.deliver()

      expect(next).toMatchObject({
        objectiveId: b.id,
        state: 'launching',
        executionRequest: { status: 'queued', source: 'auto_advance', agent: 'scripted' },
      })
      expect(await alice.objective(b)).toMatchObject({
        state: 'launching',
        assigned_agent: 'scripted',
      })
      const request = (await alice.requestsOf(mission))[0]
      expect(request).toMatchObject({ objectiveId: b.id, config: { agent: { value: 'scripted' } } })
      const events = (await alice.eventsOf(mission)).filter((one) => one.objectiveId === b.id)
      expect(events).toMatchObject([{ type: 'execution_requested', actor: { role: 'service' } }])
      const { rows } = await sql<{ entity: string; operation: string }>`
      select entity, operation from entity_changes where entity_id in (${b.id}, ${request?.id})
         and operation in ('advance', 'queue') order by entity`.execute(world.domain.db)
      expect(rows).toEqual([
        { entity: 'execution_request', operation: 'queue' },
        { entity: 'objective', operation: 'advance' },
      ])
    },
  )

  test(
    verifies('advance.none-left', 'launches nothing when nothing with an instruction is left'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', ''], { auto_advance: true })
      const { agent } = await world.attachedRun(mission.objectives[0])
      expect((await agent.deliver()).next).toBeNull()
      expect(await alice.requestsOf(mission)).toHaveLength(1)
      expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual([
        'complete',
        'draft',
      ])
    },
  )

  test(
    verifies('advance.inherits', 'hands on agent, model and effort where the next one has none'),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'], {
        auto_advance: true,
      })
      const [a, b] = mission.objectives
      await alice.launch(a, { model: 'm-1', reasoningEffort: 'high' })
      const runner = await world.connectedRunner(project)
      const lease = await runner.take()
      await runner.launching(lease)
      const agent = runner.agent(lease)
      await agent.attach()
      await agent.deliver()
      expect(await alice.objective(b)).toMatchObject({
        assigned_agent: 'scripted',
        model: 'm-1',
        reasoning_effort: 'high',
      })
    },
  )

  test(
    verifies(
      'advance.keeps-own',
      "leaves the next one's own, and hands model and effort to the same agent alone",
    ),
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b', 'c'], {
        auto_advance: true,
      })
      const [a, b, c] = mission.objectives
      await alice.call('updateObjective', { id: b.id, model: 'own' })
      await alice.call('updateObjective', { id: c.id, assigned_agent: 'other' })
      const runner = await world.connectedRunner(project, { agents: ['scripted', 'other'] })
      await alice.launch(a, { model: 'm-1', reasoningEffort: 'high' })
      const deliverNext = async () => {
        const lease = await runner.take()
        await runner.launching(lease)
        const agent = runner.agent(lease)
        await agent.attach()
        await agent.deliver()
      }
      await deliverNext()
      expect(await alice.objective(b)).toMatchObject({
        assigned_agent: 'scripted',
        model: 'own',
        reasoning_effort: 'high',
      })
      await deliverNext()
      expect(await alice.objective(c)).toMatchObject({
        assigned_agent: 'other',
        model: null,
        reasoning_effort: null,
      })
    },
  )

  test('that cannot launch leaves the next one to a person, who reads why', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await alice.call('linkProjectResource', { id: project.id, resourceKey: 'web' })

    const { next, objective } = await agent.deliver()

    expect(objective.state).toBe('complete')
    expect(next).toMatchObject({ objectiveId: b.id, state: 'awaiting_approval' })
    expect(await alice.objective(b)).toMatchObject({
      state: 'awaiting_approval',
      approvalRefusal: { code: 'resource_not_connected', message: expect.stringContaining('web') },
    })
    expect(await alice.requestsOf(mission)).toHaveLength(1)
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'awaiting_approval',
      summary: expect.stringMatching(new RegExp(`^${b.displayId} waits for a person: .*web`)),
    })
  })

  test('of an agent that nobody launched leaves the next one to a person, who names one', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: a.displayId })
    await agent.attach({ agentIdentifier: 'Cloud Agent' })

    expect((await agent.deliver()).next).toMatchObject({
      objectiveId: b.id,
      state: 'awaiting_approval',
    })
    expect(await alice.objective(b)).toMatchObject({
      assigned_agent: null,
      approvalRefusal: { code: 'no_agent' },
    })
    expect(await alice.requestsOf(mission)).toEqual([])
  })

  test('of an agent that came in place of a queued launch does not launch for that one', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    await alice.launch(a, { agent: 'cluade', model: 'm-1' })
    const agent = world.agentOf(alice, { objectiveId: a.displayId })
    await agent.attach()
    await agent.deliver()
    expect((await alice.objective(b)).approvalRefusal).toMatchObject({ code: 'no_agent' })
  })

  test.for([
    [
      'is a viewer by now',
      (id: string) => sql`update memberships set role = 'viewer' where user_id = ${id}`,
    ],
    ['has left', (id: string) => sql`delete from memberships where user_id = ${id}`],
    [
      'was disabled',
      (id: string) => sql`update users set disabled_at = app.now() where id = ${id}`,
    ],
  ] as const)(
    'launches nothing for a person who %s',
    { tags: 'large' },
    async ([, change], { world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const dan = await world.person('member')
      await dan.call('updateMission', { id: mission.id, auto_advance: true })
      const { agent } = await world.attachedRun(mission.objectives[0])
      await change(dan.userId).execute(world.domain.db)

      expect((await agent.deliver()).next?.state).toBe('awaiting_approval')
      expect((await alice.objective(mission.objectives[1])).approvalRefusal).toMatchObject({
        code: 'forbidden',
      })
      expect(await alice.requestsOf(mission)).toHaveLength(1)
    },
  )

  test('is made in the name of the person who turned it on', async ({ world }) => {
    const { mission } = await world.missionWith(['a', 'b'])
    const dan = await world.person('member')
    await dan.call('updateMission', { id: mission.id, auto_advance: true })
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { next } = await agent.deliver()
    const row = await world.domain.db
      .selectFrom('execution_requests')
      .select('requested_by')
      .where('id', '=', next?.executionRequest?.id ?? '')
      .executeTakeFirst()
    expect(row?.requested_by).toBe(dan.userId)
  })

  test('waits for a person where the last run of the next one was cancelled', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await sql`update objectives set last_outcome = 'cancelled', state = 'submitted' where id = ${b.id}`.execute(
      world.domain.db,
    )
    expect((await agent.deliver()).next?.state).toBe('awaiting_approval')
    expect((await alice.objective(b)).approvalRefusal?.message).toContain('cancelled')
  })

  test(
    'leaves the next one as it is while another objective holds the slot',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'], { auto_advance: true })
      const [a, b, c] = mission.objectives
      const { agent } = await world.attachedRun(a)
      await world.advance(1000)
      await world.settle()
      await world.attachedRun(b)
      expect((await agent.deliver()).next).toBeNull()
      expect((await alice.objective(c)).state).toBe('draft')
    },
  )

  test(
    'of each parallel objective launches one more, and no objective twice',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd', 'e'], {
        auto_advance: true,
        allowParallelObjectives: true,
      })
      for (const { id } of mission.objectives) {
        await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      }
      const agents = await Promise.all(
        mission.objectives.slice(0, 3).map(async (objective) => {
          const agent = world.agentOf(alice, { objectiveId: objective.displayId })
          await agent.attach()
          return agent
        }),
      )
      await Promise.all(agents.map((agent) => agent.deliver()))
      const requests = await alice.requestsOf(mission)
      expect(requests).toHaveLength(2)
      expect(new Set(requests.map((one) => one.objectiveId)).size).toBe(2)
      expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual([
        'complete',
        'complete',
        'complete',
        'launching',
        'launching',
      ])
    },
  )
})

describe('with auto-advance off, a delivery', () => {
  test(
    verifies('advance.awaiting-approval', 'leaves the next objective to a person'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c'])
      const [a, b, c] = mission.objectives
      const { agent } = await world.attachedRun(a)
      expect((await agent.deliver()).next).toEqual({
        objectiveId: b.id,
        state: 'awaiting_approval',
      })
      expect(await alice.objective(b)).toMatchObject({
        state: 'awaiting_approval',
        approvalRefusal: null,
      })
      expect((await alice.objective(c)).state).toBe('draft')
      expect(await alice.requestsOf(mission)).toHaveLength(1)
    },
  )

  test('never leaves a blank one to approve', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', ''])
    const { agent } = await world.attachedRun(mission.objectives[0])
    expect((await agent.deliver()).next).toBeNull()
    expect((await alice.objective(mission.objectives[1])).state).toBe('draft')
  })

  test('and turned on later launches nothing by itself', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    await (await world.attachedRun(mission.objectives[0])).agent.deliver()
    await alice.call('updateMission', { id: mission.id, auto_advance: true })
    await world.settle()
    expect((await alice.objective(mission.objectives[1])).state).toBe('awaiting_approval')
  })
})

test.for(['\n', '\t \u00a0', '\u3000'])(
  'an instruction of %j alone is passed over',
  { tags: 'large' },
  async (blank, { world }) => {
    const { mission } = await world.missionWith(['a', blank, 'c'], { auto_advance: true })
    const [a, , c] = mission.objectives
    const { agent } = await world.attachedRun(a)
    expect((await agent.deliver()).next).toMatchObject({ objectiveId: c?.id, state: 'launching' })
  },
)
