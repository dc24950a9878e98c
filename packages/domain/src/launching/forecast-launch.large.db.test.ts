import type { RouteRequest } from '@svc/contracts/rest'
import { nextName } from '../testing/plans.ts'
import type { RunnerSetUp, TestRunner } from '../testing/runner.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

type Choice = Omit<RouteRequest<'forecastLaunch'>, 'id'>

const web = { resourceKey: 'web', permission: 'rw', primary: true } as const

describe('the forecast of a launch', () => {
  test('says what it is made with and where each value comes from, and writes nothing', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'], {
      resources: [web, { resourceKey: 'api' }],
    })
    await alice.call('updateLaunchSettings', {
      id: project.id,
      preCommand: 'nvm exec',
      agents: { claude: { model: 'opus', flags: ['--fast'], rights: 'edit' } },
      checks: { test: { command: 'npm test' }, lint: { command: 'npm run lint' } },
    })
    const [objective] = mission.objectives
    const forecast = (choice: Choice = {}) =>
      alice.call('forecastLaunch', { id: objective.displayId, ...choice })
    expect(await world.rowsWrittenBy(() => forecast({ agent: 'claude' }))).toEqual({
      rows: [],
      refusal: undefined,
    })

    expect((await forecast({ agent: 'claude', reasoningEffort: 'high' })).settings).toEqual({
      agent: { value: 'claude', source: 'request' },
      model: { value: 'opus', source: 'project' },
      reasoningEffort: { value: 'high', source: 'request' },
      preCommand: { value: 'nvm exec', source: 'project' },
      flags: { value: ['--fast'], source: 'project' },
      resourceKey: { value: 'web', source: 'project' },
      rights: { value: 'edit', source: 'project' },
      checks: { value: ['lint', 'test'], source: 'project' },
    })
    const own = { assigned_agent: 'codex', model: 'big', resource_key: 'api', check: 'none' }
    await alice.call('updateObjective', { id: objective.id, ...own })
    expect((await forecast()).settings).toEqual({
      agent: { value: 'codex', source: 'objective' },
      model: { value: 'big', source: 'objective' },
      reasoningEffort: { value: null, source: 'default' },
      preCommand: { value: 'nvm exec', source: 'project' },
      flags: { value: [], source: 'default' },
      resourceKey: { value: 'api', source: 'objective' },
      rights: { value: 'work', source: 'default' },
      checks: { value: [], source: 'objective' },
    })
  })

  test('says whether a runner has to trust what the project adds for that agent', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['a'])
    const [{ id }] = mission.objectives
    const needsTrust = async (agent: string) =>
      (await alice.call('forecastLaunch', { id, agent })).needsTrust
    expect(await needsTrust('claude')).toBe(false)
    const agents = { claude: { flags: ['--fast'] }, codex: { rights: 'read' as const } }
    await alice.call('updateLaunchSettings', { id: project.id, agents })
    expect(await needsTrust('claude')).toBe(true)
    // less than an agent may do anyway is nothing to trust
    expect(await needsTrust('codex')).toBe(false)
    await alice.call('updateLaunchSettings', { id: project.id, preLaunchCommands: ['npm ci'] })
    expect(await needsTrust('codex')).toBe(true)
  })

  test('is made with what the launch then freezes', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['a'])
    await world.connectedRunner(project)
    const [{ id }] = mission.objectives
    const choice = { agent: 'scripted', model: 'small' }
    const { settings, refusal } = await alice.call('forecastLaunch', { id, ...choice })
    expect(refusal).toBeNull()
    const { config, resourceKey } = (await alice.launch({ id }, choice)).executionRequest
    expect(settings).toMatchObject({ ...config, resourceKey: { value: resourceKey } })
  })

  test('is refused as the launch is, by the same words', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['a', 'b'], {
      resources: [web, { resourceKey: 'docs', permission: 'ro' }],
    })
    const [a, b] = mission.objectives
    const refusedAlike = async (id: string, choice: Choice & { agent: string }, code: string) => {
      const { refusal } = await alice.call('forecastLaunch', { id, ...choice })
      const { fromBase: _, ...launch } = choice
      const error = await alice.call('launchObjective', { id, ...launch }).catch((e: unknown) => e)
      expect(refusal).toMatchObject({ code })
      expect(error).toMatchObject({ code, message: refusal?.message })
    }
    const agent = 'scripted'
    await refusedAlike(a.id, { agent, resourceKey: 'none' }, 'validation_failed')
    await refusedAlike(a.id, { agent, resourceKey: 'docs' }, 'resource_read_only')
    await refusedAlike(a.id, { agent }, 'resource_not_connected')
    const runner = await world.connectedRunner(project, {
      resources: [{ projectId: project.id, resourceKey: 'web' }],
    })
    await alice.launch(a)
    await refusedAlike(b.id, { agent }, 'mission_busy')
    await alice.call('updateMission', { id: mission.id, budget: { runs: 1 } })
    await alice.call('updateMission', { id: mission.id, allowParallelObjectives: true })
    await refusedAlike(b.id, { agent }, 'budget_exhausted')
    // what replaces a launch that nobody took gives its place in the budget on
    expect((await alice.call('forecastLaunch', { id: a.id, agent: 'other' })).refusal).toBeNull()
    // the same launch stands, and asked for again it is given
    expect((await alice.call('forecastLaunch', { id: a.id, agent })).refusal).toBeNull()
    await world.attachedRun(a, runner).catch(() => undefined)
    await refusedAlike(a.id, { agent }, 'objective_not_launchable')
  })

  test('is refused where nobody names an agent, and judges the runners all the same', async ({
    world,
  }) => {
    const { alice, mission, project } = await world.missionWith(['a'])
    const label = nextName('box')
    await world.connectedRunner(project, { label })
    const [{ id, displayId }] = mission.objectives
    const { settings, refusal, candidates } = await alice.call('forecastLaunch', { id })
    expect(settings.agent).toEqual({ value: null, source: 'default' })
    expect(refusal).toMatchObject({
      code: 'no_agent',
      next: { operation: 'launchObjective', params: { id: displayId } },
    })
    expect(candidates?.find(({ runner }) => runner.label === label)).toMatchObject({ able: true })
  })

  test('is for whoever may launch, and names runners to who may list them', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [{ id }] = mission.objectives
    const wanted = { id, agent: 'scripted' }
    await expect(world.vera.call('forecastLaunch', wanted)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.carla.call('forecastLaunch', wanted)).rejects.toMatchObject({
      code: 'not_found',
    })
    const launches = { permissions: ['execution_request:create', 'mission:read'] as const }
    const narrow = await alice.withToken({ permissions: [...launches.permissions] })
    expect((await narrow.call('forecastLaunch', wanted)).candidates).toBeNull()
    expect((await world.bob.call('forecastLaunch', wanted)).candidates).not.toBeNull()
  })
})

describe('a runner that is judged for a launch', () => {
  test('takes it now, and so does its next claim', async ({ world }) => {
    const scene = await sceneOf(world)
    const box = await scene.runner()
    expect(await scene.judge(box)).toEqual({ able: true, reasons: [] })
    expect(await scene.claimed(box)).toBe(true)
  })

  const never: readonly [string, Partial<RunnerSetUp>, Choice, string][] = [
    ['has another name', {}, { runner: 'attic' }, 'other_name'],
    ['lacks the agent', { agents: ['other'] }, {}, 'no_agent'],
    ['lacks the checkout', { resources: [] }, {}, 'no_checkout'],
  ]
  for (const [what, setUp, choice, code] of never) {
    test(`takes none that it cannot take because it ${what}`, async ({ world }) => {
      const scene = await sceneOf(world)
      const [box] = [await scene.runner(setUp), await scene.runner()]
      expect(await scene.judge(box, choice)).toMatchObject({ able: false, reasons: [{ code }] })
      expect(await scene.claimed(box, choice)).toBe(false)
    })
  }

  test('takes none of a project that it does not take from', async ({ world }) => {
    const scene = await sceneOf(world)
    const other = await world.projectWith()
    const [box] = [await scene.runner({ projectIds: [other.id] }), await scene.runner()]
    expect(await scene.judge(box)).toMatchObject({
      able: false,
      reasons: [{ code: 'other_project' }],
    })
    expect(await scene.claimed(box)).toBe(false)
  })

  for (const [state, words] of [
    ['missing', 'is missing'],
    ['unreadable', 'cannot be read'],
    ['not_a_repository', 'is no Git repository'],
  ] as const) {
    test(`takes none while its checkout ${words}`, async ({ world }) => {
      const scene = await sceneOf(world)
      const [box] = [await scene.runner(), await scene.runner()]
      const resources = [{ projectId: scene.project.id, resourceKey: 'web', path: '/x', state }]
      await box.claim({ projectIds: [], resources })
      expect(await scene.judge(box)).toMatchObject({
        able: false,
        reasons: [{ code: 'no_checkout', message: `Its checkout of web ${words}.` }],
      })
      expect(await scene.claimed(box, {}, { resources })).toBe(false)
    })
  }

  test('takes none while it is away', async ({ world }) => {
    const scene = await sceneOf(world)
    const box = await scene.runner()
    await world.advance(600)
    await scene.runner()
    expect(await scene.judge(box)).toMatchObject({ able: false, reasons: [{ code: 'away' }] })
  })

  test('takes it later where it holds the agent', async ({ world }) => {
    const scene = await sceneOf(world)
    const box = await scene.runner()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const held = {
      agents: [],
      heldAgents: [{ key: 'scripted', reason: 'quota', until }],
    } as const
    await box.claim({ projectIds: [], ...held, agents: [], heldAgents: [...held.heldAgents] })
    expect(await scene.judge(box)).toMatchObject({
      able: true,
      reasons: [{ code: 'agent_held', until }],
    })
    const report = { agents: [], heldAgents: [...held.heldAgents] }
    expect(await scene.claimed(box, {}, report)).toBe(false)
  })

  test('takes it later where it gave the same launch back', async ({ world }) => {
    const scene = await sceneOf(world)
    const [box, other] = [await scene.runner(), await scene.runner()]
    await world.alice.launch(scene.objective)
    await box.released(await box.take(), { reason: 'checkout_busy' })
    expect(await scene.judge(box)).toMatchObject({
      able: true,
      reasons: [{ code: 'gave_back', until: expect.any(String) }],
    })
    expect(await scene.judge(other)).toEqual({ able: true, reasons: [] })
    // another choice is another launch
    expect(await scene.judge(box, { model: 'big' })).toEqual({ able: true, reasons: [] })
    expect(await scene.claimed(box)).toBe(false)
  })

  test('takes it later where another one’s run has not left the branch', async ({ world }) => {
    const scene = await sceneOf(world)
    const [box, other] = [await scene.runner(), await scene.runner()]
    await world.alice.launch(scene.before)
    const lease = await other.take()
    await other.launching(lease, 'svc/x', { baseSha: 'a'.repeat(40) })
    await other.launched(lease)
    const agent = other.agent(lease)
    await agent.attach()
    await agent.deliver()
    expect(await scene.judge(box)).toMatchObject({
      able: true,
      reasons: [{ code: 'branch_in_use' }],
    })
    expect(await scene.judge(other)).toEqual({ able: true, reasons: [] })
    expect(await scene.claimed(box)).toBe(false)
    await other.exited(lease)
    expect((await scene.judge(box)).reasons).toEqual([])
  })

  test('takes it later where it carries all that it can', async ({ world }) => {
    const scene = await sceneOf(world)
    const box = await scene.runner()
    const capacity = { max: 2, running: 2 }
    const runner = { instanceId: box.instanceId, version: '1.0.0', capacity }
    await box.claim({ projectIds: [], runner })
    expect(await scene.judge(box)).toMatchObject({
      able: true,
      reasons: [{ code: 'busy', message: 'It carries 2 of 2 runs.' }],
    })
  })

  test('stands before those that cannot take it', async ({ world }) => {
    const scene = await sceneOf(world)
    const able = await scene.runner()
    await scene.runner({ agents: ['other'] })
    const { candidates } = await world.alice.call('forecastLaunch', {
      id: scene.objective.id,
      agent: 'scripted',
    })
    const order = candidates!.map((one) => one.able)
    expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)))
    expect(candidates![0]!.runner.label).toBe(scene.labelOf(able))
  })
})

/** A mission with a linked resource, and runners that have all it needs but for what a test takes away. */
async function sceneOf(world: World) {
  const { alice } = world
  const { project, mission } = await world.missionWith(['before', 'now'], { resources: [web] })
  const [before, objective] = mission.objectives
  const labels = new Map<TestRunner, string>()
  const labelOf = (runner: TestRunner) => labels.get(runner) ?? ''
  const runner = async (setUp: Partial<RunnerSetUp> = {}) => {
    const label = nextName('machine')
    const made = await world.connectedRunner(project, {
      label,
      resources: [{ projectId: project.id, resourceKey: 'web' }],
      ...setUp,
    })
    // it says once what it takes from
    await made.claim({ projectIds: setUp.projectIds ?? [project.id] })
    labels.set(made, label)
    return made
  }
  const judge = async (of: TestRunner, choice: Choice = {}) => {
    const wanted = { id: objective.id, agent: 'scripted', ...choice }
    const { candidates } = await alice.call('forecastLaunch', wanted)
    const found = candidates?.find((one) => one.runner.label === labelOf(of))
    const { able, reasons } = found ?? { able: undefined, reasons: [] }
    return { able, reasons }
  }
  /** Whether the runner is given the launch when it asks. */
  const claimed = async (
    by: TestRunner,
    { runner: named, model }: Choice = {},
    report: Parameters<TestRunner['claim']>[0] = {},
  ) => {
    const { executionRequest } = await alice.launch(objective, {
      ...(named !== undefined && { runner: named }),
      ...(model !== undefined && { model }),
    })
    const { request } = await by.claim(report)
    return request?.executionRequest.id === executionRequest.id
  }
  return { project, before, objective, runner, judge, claimed, labelOf }
}
