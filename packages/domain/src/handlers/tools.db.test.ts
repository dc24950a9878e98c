import { toolContracts } from '@svc/contracts/mcp/tools'
import { furnish } from '../testing/furnished.ts'
import { inputOf } from '../testing/least-input.ts'
import type { Naming } from '../testing/naming.ts'
import { operations, outcomeOf } from '../testing/operations.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('an objective', () => {
  test(
    'that is named beside a mission of which it is none is not found, whoever asks',
    { tags: 'large' },
    async ({ world }) => {
      const { alice } = world
      const { names, lease } = await furnish(world, alice)
      const { mission } = await world.missionWith(['Two'])
      const tools = operations.filter(({ name, fields }) => {
        return name in toolContracts && fields.has('objectiveId') && fields.has('missionId')
      })
      expect(tools).not.toEqual([])
      const isScope = (naming: Naming) => naming === 'objectiveId' || naming === 'missionId'
      const written = await world.rowsWrittenBy(async () => {
        for (const tool of tools) {
          const input = inputOf(tool, { ...names, missionId: mission.id }, lease, isScope)
          const { refusal } = await outcomeOf(tool.call(alice, input))
          expect([tool.name, refusal?.code]).toEqual([tool.name, 'not_found'])
        }
      })
      expect(written).toEqual({ rows: [], refusal: undefined })
    },
  )

  test('of its mission may be named by either id, and names the mission for what is added', async ({
    world,
  }) => {
    const { alice } = world
    const { mission } = await world.missionWith(['One'])
    const [objective] = mission.objectives
    const objectives = [{ instruction: 'Two' }]
    await alice.tool('svc_add_objectives', { objectiveId: objective.displayId, objectives })
    await alice.tool('svc_add_objectives', {
      objectiveId: objective.id,
      missionId: mission.displayId,
      objectives,
    })
    expect((await alice.mission(mission)).objectives.map(({ title }) => title)).toEqual([
      'One',
      'Two',
      'Two',
    ])
  })

  test('that has started still lets auto_advance of its mission be switched, and its text alone', async ({
    world,
  }) => {
    const { alice } = world
    const { mission } = await world.missionWith(['One'])
    const [objective] = mission.objectives
    await alice.launch(objective)
    const switched = await alice.tool('svc_update_objective', {
      objectiveId: objective.id,
      auto_advance: true,
      expectedRevision: 99,
    })
    expect(switched).toMatchObject({ auto_advance: true, objective: { instruction: 'One' } })
    const both = { objectiveId: objective.id, auto_advance: false, instruction: 'x' }
    await expect(alice.tool('svc_update_objective', both)).rejects.toMatchObject({
      code: 'invalid_transition',
    })
    expect(await alice.mission(mission)).toMatchObject({ auto_advance: true })
  })

  test(
    verifies(
      'tool.svc_update_objective.auto-advance',
      'turns on and off that a delivery launches what is next',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['One', 'Two', 'Three'])
      const [one, two, three] = mission.objectives
      const turn = (auto_advance: boolean) =>
        alice.tool('svc_update_objective', { objectiveId: one.displayId, auto_advance })
      await turn(true)
      await (await world.attachedRun(one)).agent.deliver()
      expect(await alice.objective(two)).toMatchObject({ state: 'launching' })
      await turn(false)
      await (await world.attachedRun(two)).agent.deliver()
      expect(await alice.objective(three)).toMatchObject({ state: 'awaiting_approval' })
    },
  )

  test('switches auto_advance for those alone who may change the mission and launch', async ({
    world,
  }) => {
    const { alice } = world
    const { mission } = await world.missionWith(['One'])
    const [objective] = mission.objectives
    const order = { objectiveId: objective.id, auto_advance: true }
    const read = ['mission:read', 'project:read', 'objective:update'] as const
    for (const permissions of [
      [...read],
      [...read, 'mission:update' as const],
      [...read, 'execution_request:create' as const],
    ]) {
      const person = await alice.withToken({ permissions })
      await expect(person.tool('svc_update_objective', order)).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    const person = await alice.withToken({
      permissions: [...read, 'mission:update', 'execution_request:create'],
    })
    expect(await person.tool('svc_update_objective', order)).toMatchObject({
      auto_advance: true,
    })
  })
})

describe('a session', () => {
  test('is explained in the tools to who has tools, and in commands to who has commands', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['One', 'Two'])
    const [one] = mission.objectives
    const agentIdentifier = 'cloud'
    const answers = [
      await alice.tool('svc_attach_session', { agentIdentifier, objectiveId: one.displayId }),
      await alice.tool('svc_load_mission_context', { missionId: mission.id }),
    ]
    for (const { agentInstructions } of answers) {
      const named = agentInstructions.match(/svc_\w+/g) ?? []
      expect(named).toContain('svc_deliver_session')
      expect(Object.keys(toolContracts)).toEqual(expect.arrayContaining(named))
      expect(agentInstructions).not.toMatch(/svc protocol|PATH|--/)
    }
    const { agentInstructions } = await world
      .agentOf(alice, { objectiveId: one.displayId })
      .attach({
        takeOver: true,
      })
    expect(agentInstructions).toContain('svc protocol deliver')
    expect(agentInstructions).not.toContain('svc_')
  })

  test('is named by its key, by its objective, or by a mission that has no other', async ({
    world,
  }) => {
    const { alice } = world
    const { mission } = await world.missionWith(['One', 'Two'], { allowParallelObjectives: true })
    const [one, two] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: one.id, missionId: mission.id })
    await agent.attach()
    const say = (scope: object) => alice.tool('svc_update_session', { ...scope, text: 'x' })
    const scopes = [
      { sessionKey: agent.sessionKey() },
      { sessionKey: one.displayId },
      { objectiveId: one.displayId },
      { objectiveId: one.id, missionId: mission.displayId },
      { missionId: mission.id },
      { sessionKey: agent.sessionKey(), objectiveId: one.displayId, missionId: mission.id },
    ]
    for (const scope of scopes) expect(await say(scope)).toMatchObject({ directive: 'continue' })

    await world.agentOf(alice, { objectiveId: two.displayId }).attach()
    await expect(say({ missionId: mission.id })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(
      say({ sessionKey: agent.sessionKey(), objectiveId: two.displayId }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect((await alice.eventsOf(mission)).filter(({ type }) => type === 'update')).toHaveLength(
      scopes.length,
    )
  })

  test('of somebody else is answered as none at all', async ({ world }) => {
    const { alice, bob } = world
    const { mission } = await world.missionWith(['One', 'Two'])
    const [taken, free] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: taken.displayId })
    await agent.attach()
    const refusal = (scope: object): Promise<string> =>
      bob.tool('svc_deliver_session', { ...scope, summary: 'x' }).then(
        () => 'delivered',
        (error: Error) => error.message,
      )
    expect(await refusal({ sessionKey: agent.sessionKey() })).toBe(
      await refusal({ sessionKey: 'sess_nobody' }),
    )
    const [ofTaken, ofFree] = [
      await refusal({ objectiveId: taken.displayId }),
      await refusal({ objectiveId: free.displayId }),
    ]
    expect(ofTaken).toBe(ofFree?.replace(free.displayId, taken.displayId))
    expect(await alice.objective(taken)).toMatchObject({ state: 'executing' })
  })
})

describe('a project', () => {
  test('is found by id, slug or name; several are left to a person', async ({ world }) => {
    const { alice } = world
    const create = async (name: string, slug: string) =>
      (await alice.call('createProject', { name, slug })).project
    const web = await create('Shop front', 'shop')
    const api = await create('Shop back', 'shop-back')
    const resolve = (query: string) => alice.tool('svc_resolve_project', { query })
    expect((await resolve(web.id)).project?.id).toBe(web.id)
    expect((await resolve('SHOP')).project?.id).toBe(web.id)
    expect((await resolve('shop back')).project?.id).toBe(api.id)
    expect((await resolve('front')).project?.id).toBe(web.id)
    const several = await resolve('sho')
    expect(several).not.toHaveProperty('project')
    expect(several.candidates.map(({ slug }) => slug)).toEqual(['shop', 'shop-back'])
    await expect(resolve('100%')).rejects.toMatchObject({ code: 'not_found' })
    await expect(resolve('shop-bakc')).rejects.toMatchObject({
      code: 'not_found',
      message: 'No project is called shop-bakc. Did you mean shop-back?',
      details: { nearest: ['shop-back'] },
    })
    const rest = await alice.call('resolveProject', { query: 'shop back' })
    expect(rest.project).toEqual(api)
  })

  test('comes with the agents that can be launched with, those of connected runners', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['One'])
    const agentsOf = async () => (await alice.tool('svc_resolve_project', {})).agents
    const before = await agentsOf()
    expect(before).not.toContain('seldom')
    await world.connectedRunner({ id: mission.projectId }, { agents: ['seldom', 'scripted'] })
    expect(await agentsOf()).toEqual([...new Set([...before, 'seldom', 'scripted'])].toSorted())
    await world.advance(3600)
    expect(await agentsOf()).toEqual([])
  })

  test('that a token is not for is not found by it', async ({ world }) => {
    const { alice } = world
    const [mine, other] = [await world.projectWith(), await world.projectWith()]
    const bound = await alice.withToken({ preset: 'full', projectIds: [mine.id] })
    await expect(bound.tool('svc_resolve_project', { query: other.id })).rejects.toMatchObject({
      code: 'not_found',
      details: { nearest: [mine.slug] },
    })
    expect((await bound.tool('svc_resolve_project', {})).candidates.map(({ id }) => id)).toEqual([
      mine.id,
    ])
  })
})

test('a mission made by a tool is the one that REST shows', async ({ world }) => {
  const { alice } = world
  const project = await world.projectWith()
  const { mission } = await alice.tool('svc_create_mission', {
    projectId: project.slug,
    title: 'One way',
  })
  expect((await alice.call('getMission', { id: mission.displayId })).mission).toEqual(mission)
  const listed = await alice.call('listMissions', {
    projectId: project.id,
    statusTypes: 'draft,blocked',
  })
  expect(listed.missions).toEqual([mission])
  expect(
    (await alice.call('listMissions', { projectId: project.id, statusTypes: 'blocked' })).missions,
  ).toEqual([])
})

test('a delivery is told with its first 50 files', async ({ world }) => {
  const { alice } = world
  const { mission } = await world.missionWith(['One'])
  const [objective] = mission.objectives
  const { agent } = await world.attachedRun(objective)
  const changeRationales = Array.from({ length: 60 }, (_, index) => ({
    filePath: `src/${String(index).padStart(2, '0')}.ts`,
    label: 'l',
    summary: 's',
    why: 'w',
    impact: 'i',
  }))
  await agent.deliver({ changeRationales })
  const { deliveries } = await alice.tool('svc_list_deliveries', {
    missionId: mission.displayId,
  })
  expect(deliveries[0]?.fileChanges).toHaveLength(50)
  expect(deliveries[0]?.fileChanges[0]).toMatchObject({
    filePath: 'src/00.ts',
    rationale: { why: 'w' },
  })
})

test.for(['instruction', 'artifact'] as const)(
  'a long %s can be read to its end as each part of it says',
  { tags: 'large' },
  async (what, { world }) => {
    const { alice } = world
    const text = Array.from({ length: 15_000 }, (_, index) => `line ${index}🙂`).join('\n')
    const { mission } = await world.missionWith([
      what === 'instruction' ? text.slice(0, 99_999) : 'a',
    ])
    const [objective] = mission.objectives
    const sent = what === 'instruction' ? text.slice(0, 99_999) : text
    if (what === 'artifact') {
      const artifact = { type: 'note', label: 'Long', contentText: text } as const
      await alice.tool('svc_add_artifact', { missionId: mission.id, ...artifact })
    }
    const read: string[] = []
    let next: object | undefined = { objectiveId: objective.displayId }
    while (next) {
      // the arguments of this very tool
      const asked = next as Parameters<typeof alice.tool<'svc_load_mission_context'>>[1]
      const found = await alice.tool('svc_load_mission_context', asked)
      const part =
        what === 'artifact' ? found.artifacts[0]?.contentText : found.currentObjective?.instruction
      const [kept = '', hint] = (part ?? '').split('… (')
      expect(kept.length).toBeGreaterThan(100)
      read.push(kept)
      next = hint === undefined ? undefined : JSON.parse(hint.slice(hint.indexOf('{'), -1))
    }
    expect(read.length).toBeGreaterThan(1)
    expect(read.length).toBeLessThan(12)
    expect(read.join('')).toBe(sent)
  },
)

test('what is read on is that part alone, of what the caller may read', async ({ world }) => {
  const { alice, mission } = await world.missionWith(['write the docs', 'read them'])
  const missionId = mission.id
  const note = { type: 'note', label: 'Notes', contentText: 'abcdef' } as const
  const { artifact } = await alice.tool('svc_add_artifact', { missionId, ...note })
  const onward = { missionId, artifactId: artifact.id, offset: 2 }
  const found = await alice.tool('svc_load_mission_context', onward)
  expect(found.artifacts).toMatchObject([{ id: artifact.id, contentText: 'cdef' }])
  const others = [found.previousObjectives, found.futureObjectives, found.history]
  expect({ others, truncated: found.truncated }).toEqual({ others: [[], [], []], truncated: true })
  const beyond = await alice.tool('svc_load_mission_context', { ...onward, offset: 99 })
  expect(beyond.artifacts[0]?.contentText).toBe('')
  const elsewhere = (await world.missionWith(['else'])).mission
  for (const [who, asked] of [
    [alice, { ...onward, artifactId: crypto.randomUUID() }],
    [alice, { ...onward, missionId: elsewhere.id }],
    [world.carla, onward],
  ] as const) {
    await expect(who.tool('svc_load_mission_context', asked)).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('a launch warns in words that a client of tools can follow', async ({ world }) => {
  const { mission } = await world.missionWith(['One'])
  const { warnings } = await world.alice.tool('svc_launch_objective', {
    objectiveId: mission.objectives[0].displayId,
    agent: 'rare',
  })
  const message =
    'No connected runner has the agent rare. The request waits until one has. See who is there with: svc_resolve_project'
  expect(warnings).toEqual([{ code: 'agent_not_available', message }])
})
