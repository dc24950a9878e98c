import { limits } from '@svc/contracts/limits'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { newId } from '../common/ids.ts'

describe('the context', () => {
  test(
    verifies(
      'attach.context-resources',
      'of an attach tells of the work, of what lies around it, and where each resource is',
    ),
    async ({ world }) => {
      const resources = [{ resourceKey: 'web' }, { resourceKey: 'api', permission: 'ro' as const }]
      const { project, mission } = await world.missionWith(['first', 'second', 'third'], {
        resources,
      })
      const [first, second, third] = mission.objectives
      const linked = [
        { projectId: project.id, resourceKey: 'web' },
        { projectId: project.id, resourceKey: 'api' },
      ]
      const runner = await world.connectedRunner(project, { resources: linked })
      await (
        await world.attachedRun(first, runner)
      ).agent.deliver({ artifacts: [{ type: 'next_steps', label: 'Next', contentText: 'x' }] })

      const { agent } = await world.startedRun(second, runner)
      const context = await agent.attach()

      expect(context.mission).toMatchObject({ id: mission.id, phase: 'execute' })
      expect(context.project.id).toBe(project.id)
      expect(context.currentObjective).toMatchObject({
        id: second.id,
        state: 'executing',
        instruction: 'second',
      })
      expect(context.previousObjectives.map((one) => one.id)).toEqual([first.id])
      expect(context.futureObjectives.map((one) => one.id)).toEqual([third.id])
      expect(context.history.map((one) => one.type)).toEqual(['delivery'])
      expect(context.deliveries).toMatchObject([{ objectiveId: first.id }])
      expect(context.artifacts).toMatchObject([{ label: 'Next' }])
      expect(context.projectResources).toEqual([
        {
          resourceKey: 'web',
          permission: 'rw',
          primary: true,
          state: 'connected',
          path: '/src/web',
        },
        {
          resourceKey: 'api',
          permission: 'ro',
          primary: false,
          state: 'connected',
          path: '/src/api',
        },
      ])
      expect(context.agentInstructions).toContain('svc protocol deliver')
      expect(context.truncated).toBe(false)
    },
  )

  test(
    'tells the history in the order in which it happened, the last 50 entries of it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const agent = world.agentOf(alice, { missionId: mission.id })
      await agent.attach()
      for (let step = 1; step <= 55; step += 1) await agent.update({ text: `step ${step}` })

      const context = await alice.protocol('load-context', { missionId: mission.id })

      expect(context.history.map((one) => one.summary)).toEqual(
        Array.from({ length: 50 }, (_, index) => `step ${index + 6}`),
      )
      expect(context.truncated).toBe(true)
    },
  )

  test(
    'tells the history without what every run leaves there, which the events have',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'])
      const runner = await world.connectedRunner(project)
      const [first, second] = mission.objectives
      const { lease, agent } = await world.attachedRun(first, runner)
      await agent.update({ text: 'Begun.' })
      await runner.exited(lease)
      const again = await world.attachedRun(first, runner)
      await again.agent.deliver()
      await alice.call('createMissionEvent', {
        id: mission.id,
        type: 'acme:seen',
        summary: 'Seen.',
      })

      const context = await (await world.startedRun(second, runner)).agent.attach()

      expect(context.history.map(({ type }) => type)).toEqual([
        'update',
        'run_ended',
        'delivery',
        'acme:seen',
      ])
      expect(context.truncated).toBe(false)
      const { events } = await alice.call('listMissionEvents', { id: mission.id, limit: 200 })
      const all = new Set(events.map(({ type }) => type))
      expect([...all]).toEqual(expect.arrayContaining(['execution_claimed', 'session_attached']))
    },
  )

  test('says that it may tell too little after very many events that tell nothing', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { id } = mission
    const report = (summary: string) =>
      alice.call('createMissionEvent', { id, type: 'acme:seen', summary })
    const history = async () => {
      const context = await alice.protocol('load-context', { missionId: id })
      return [context.history.map(({ summary }) => summary), context.truncated]
    }
    const launch = (count: number) =>
      sql`
      insert into mission_events (workspace_id, id, mission_id, type, summary, actor_role)
      select workspace_id, unnest(${Array.from({ length: count }, newId)}::uuid[]), id,
             'execution_claimed', 'Claimed', 'runner'
        from missions where id = ${id}`.execute(world.domain.db)
    await report('first')
    await launch(399)
    expect(await history()).toEqual([['first'], false])
    await launch(1)
    expect(await history()).toEqual([[], true])
    await report('last')
    expect(await history()).toEqual([['last'], true])
  })

  test('tells so many bytes of the history, as they travel', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { id } = mission
    await sql`
      insert into mission_events (workspace_id, id, mission_id, type, summary, data, actor_role)
      select workspace_id, unnest(${Array.from({ length: 50 }, newId)}::uuid[]), id, 'acme:seen',
             repeat('s', 20000), jsonb_build_object('x', repeat('x', 15000)), 'agent'
        from missions where id = ${id}`.execute(world.domain.db)
    const { history, truncated } = await alice.protocol('load-context', { missionId: id })
    expect(truncated).toBe(true)
    expect(history.length).toBeGreaterThan(20)
    // the one that goes beyond is told whole
    expect((history.length - 1) * 35_000).toBeLessThan(1024 * 1024)
  })

  test(
    'tells of a delivery once what it presents, with its artifacts in their own list',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission } = await world.missionWith(['a', 'b'])
      const runner = await world.connectedRunner(project)
      const [first, second] = mission.objectives
      const { agent } = await world.attachedRun(first, runner)
      await agent.deliver({
        summary: 'MARK-SUMMARY',
        report: { risks: [{ text: 'MARK-RISK' }] },
        artifacts: [{ type: 'note', label: 'MARK-LABEL', contentText: 'MARK-CONTENT' }],
      })
      const said = await (
        await world.attachedRun(second, runner)
      ).agent.deliver({ summary: 'Plain.' })

      const context = await alice.protocol('load-context', { missionId: mission.id })

      expect(context.deliveries).toEqual([
        {
          id: said.deliveryId,
          objectiveId: second.id,
          report: { presentation: { status: 'deterministic', markdown: 'Plain.' } },
          warnings: [],
          createdAt: expect.any(String),
        },
        expect.objectContaining({ objectiveId: first.id }),
      ])
      const text = JSON.stringify([context.deliveries, context.artifacts])
      const marks = text.match(/MARK-[A-Z]+/g)?.toSorted()
      expect(marks).toEqual(['MARK-CONTENT', 'MARK-LABEL', 'MARK-RISK', 'MARK-SUMMARY'])
    },
  )

  test(
    'tells the nearest instructions whole and the others as far as there is room, its own always',
    { tags: 'large' },
    async ({ world }) => {
      const { alice } = world
      const long = 'x'.repeat(limits.instructionCharacters)
      const { mission } = await world.missionWith([...Array<string>(13).fill(long), 'short'])
      const objective = mission.objectives[0]
      const context = await alice.protocol('attach', {
        objectiveId: objective?.displayId ?? '',
        agentIdentifier: 'cloud',
      })
      expect(context.currentObjective?.instruction).toBe(long)
      const shown = context.futureObjectives.map((one) => one.instruction.length)
      const room = 1024 * 1024 - 10 * long.length
      expect(shown).toEqual([...Array<number>(10).fill(long.length), room + 1, 1, 1])
      expect(context.futureObjectives.map((one) => one.id)).toEqual(
        mission.objectives.slice(1).map((one) => one.id),
      )
      expect(context.truncated).toBe(true)

      const last = await alice.protocol('load-context', {
        objectiveId: mission.objectives.at(-1)?.displayId,
      })
      expect(last.futureObjectives.map((one) => one.instruction.length)).toEqual([
        1,
        room + 1,
        ...Array<number>(10).fill(long.length),
      ])
      expect(last.previousObjectives.map((one) => one.instruction)).toEqual(['…'])
    },
  )

  test('is cut in large artifacts, the newest kept', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const contentText = 'x'.repeat(limits.contentTextBytes)
    const made: string[] = []
    for (let count = 0; count < 6; count += 1) {
      const input = { id: mission.id, type: 'other', label: 'Large', contentText }
      made.unshift((await alice.call('createArtifact', input)).artifact.id)
    }
    const context = await alice.protocol('load-context', { missionId: mission.id })
    expect(context.artifacts.map((artifact) => artifact.id)).toEqual(made.slice(0, 4))
    expect(context.truncated).toBe(true)
  })
})

describe('loading it', () => {
  test(
    verifies('protocol.load-context', 'answers what an attach does and opens no session'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const read = await world.rowsWrittenBy(async () => {
        const context = await alice.protocol('load-context', { missionId: mission.displayId })
        expect(context.currentObjective).toMatchObject({
          id: mission.objectives[0].id,
          state: 'draft',
        })
      })
      expect(read).toEqual({ rows: [], refusal: undefined })
    },
  )

  test(
    verifies(
      'args.display-id-alone',
      'is from the objective named, by display id or by UUID beside its mission',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [, b] = mission.objectives
      const byDisplayId = await alice.protocol('load-context', { objectiveId: b.displayId })
      const byUuid = await alice.protocol('load-context', {
        objectiveId: b.id,
        missionId: mission.id,
      })
      expect(byDisplayId.currentObjective?.id).toBe(b.id)
      expect(byUuid).toEqual(byDisplayId)
    },
  )

  test('of a mission without an objective has no current one', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const context = await alice.protocol('load-context', { missionId: mission.id })
    expect(context).toMatchObject({
      currentObjective: null,
      previousObjectives: [],
      futureObjectives: [],
    })
  })

  test('is for whoever may read the mission, and nobody else', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const bound = await alice.withToken({
      preset: 'read_only',
      projectIds: [(await world.projectWith()).id],
    })
    expect((await world.vera.protocol('load-context', { missionId: mission.id })).mission.id).toBe(
      mission.id,
    )
    for (const caller of [world.carla, bound]) {
      await expect(
        caller.protocol('load-context', { missionId: mission.id }),
      ).rejects.toMatchObject({ code: 'not_found' })
      await expect(
        caller.protocol('load-context', { objectiveId: mission.objectives[0].displayId }),
      ).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('an objective among several', () => {
  test(
    verifies(
      ['tool.svc_load_mission_context.pins', 'tool.svc_attach_session.pins'],
      'is the one that is read, and the one that is worked on, where it is named',
    ),
    async ({ world }) => {
      const { alice } = world
      const { mission } = await world.missionWith(['One', 'Two', 'Three'])
      const [one, two, three] = mission.objectives
      const read = await alice.tool('svc_load_mission_context', {
        objectiveId: two.displayId,
      })
      expect(read).toMatchObject({
        currentObjective: { id: two.id },
        futureObjectives: [{ id: one.id }, { id: three.id }],
      })
      const attached = await alice.tool('svc_attach_session', {
        agentIdentifier: 'cloud',
        objectiveId: three.displayId,
      })
      expect(attached.currentObjective?.id).toBe(three.id)
      const now = await Promise.all(mission.objectives.map((each) => alice.objective(each)))
      expect(now.map(({ state }) => state)).toEqual(['draft', 'draft', 'executing'])
    },
  )

  test(
    verifies(
      'tool.svc_load_mission_context.parallel-needs-objective',
      'is named for a reading while several run, and only then',
    ),
    async ({ world }) => {
      const { alice } = world
      const { mission } = await world.missionWith(['One', 'Two'], {
        allowParallelObjectives: true,
      })
      const [one, two] = mission.objectives
      const read = (scope: object) =>
        alice.tool('svc_load_mission_context', { missionId: mission.id, ...scope })
      await world.attachedRun(one)
      expect((await read({})).currentObjective?.id).toBe(one.id)
      await world.attachedRun(two)
      await expect(read({})).rejects.toMatchObject({
        code: 'ambiguous_objective',
        details: { candidates: [{ objectiveId: one.id }, { objectiveId: two.id }] },
      })
      expect((await read({ objectiveId: two.id })).currentObjective?.id).toBe(two.id)
    },
  )
})
