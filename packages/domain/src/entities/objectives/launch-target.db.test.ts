import { leaseOf } from '../../testing/runner.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

type Resources = NonNullable<Parameters<World['projectWith']>[0]>

/** A mission whose resources a runner has, all of them. */
async function connectedMission(world: World, resources: Resources) {
  const set = await world.missionWith(['write the docs'], { resources })
  const runner = await world.connectedRunner(set.project, {
    resources: resources.map(({ resourceKey }) => ({ projectId: set.project.id, resourceKey })),
  })
  return { ...set, runner }
}

describe('the resource that a run works in', () => {
  test(verifies('launch.resource-connected', 'is the only one linked'), async ({ world }) => {
    const { alice, mission } = await connectedMission(world, [{ resourceKey: 'web' }])

    const launched = await alice.launch(mission.objectives[0])

    expect(launched.executionRequest.resourceKey).toBe('web')
    expect(launched.objective.resource_key).toBe('web')
  })

  test(
    verifies(
      'objective.resource-key',
      'is the primary of several, the objective’s own before it, the chosen before both',
    ),
    async ({ world }) => {
      const resources = [{ resourceKey: 'api' }, { resourceKey: 'docs' }, { resourceKey: 'web' }]
      const { alice, mission, runner } = await connectedMission(world, resources)
      const [objective] = mission.objectives
      /** As the objective says it, and the runner is told. */
      const targetsOf = async (choice: { resourceKey?: string }) => {
        await alice.launch(objective, choice)
        const answer = await runner.claim()
        await runner.failed(leaseOf(answer))
        const { resource_key } = await alice.objective(objective)
        return [resource_key, answer.request?.executionRequest.resourceKey]
      }

      expect(await targetsOf({})).toEqual(['api', 'api'])
      await alice.call('updateObjective', { id: objective.id, resource_key: 'docs' })
      expect(await targetsOf({})).toEqual(['docs', 'docs'])
      expect(await targetsOf({ resourceKey: 'web' })).toEqual(['web', 'web'])
      expect(await targetsOf({})).toEqual(['web', 'web'])
    },
  )

  test('decides which runners are asked for the agent', async ({ world }) => {
    const { alice, project, mission, runner } = await connectedMission(world, [
      { resourceKey: 'web' },
    ])
    await world.connectedRunner(project, { agents: ['elsewhere'] })
    const [objective] = mission.objectives

    const { warnings } = await alice.launch(objective, { agent: 'elsewhere' })

    expect(warnings.map(({ message }) => message)).toEqual([
      'No connected runner with resource web has the agent elsewhere. The request waits until one has.',
    ])
    const found = { key: 'elsewhere', version: null, path: '/bin/elsewhere' }
    await runner.claim({ projectIds: [], agents: [found] })
    expect((await alice.launch(objective, { agent: 'elsewhere' })).warnings).toEqual([])
  })

  test('must be chosen where several are linked and none is primary', async ({ world }) => {
    const { alice, mission } = await connectedMission(world, [
      { resourceKey: 'web', primary: false },
      { resourceKey: 'api', primary: false },
    ])

    const written = await world.rowsWrittenBy(() => alice.launch(mission.objectives[0]))

    expect(written).toMatchObject({ rows: [], refusal: { code: 'validation_failed' } })
    expect((written.refusal as Error).message).toContain('api, web')
    expect((await alice.launch(mission.objectives[0], { resourceKey: 'api' })).reused).toBe(false)
  })

  test('must be linked to the project', async ({ world }) => {
    const { alice, mission } = await connectedMission(world, [{ resourceKey: 'web' }])
    await expect(
      alice.launch(mission.objectives[0], { resourceKey: 'other' }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('is none in a project that has none', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    expect((await alice.launch(mission.objectives[0])).executionRequest.resourceKey).toBeNull()
  })

  test('is connected for 60 seconds after its runner was heard of', async ({ world }) => {
    const { alice, mission, runner } = await connectedMission(world, [{ resourceKey: 'web' }])
    await world.advance(61)

    await expect(alice.launch(mission.objectives[0])).rejects.toMatchObject({
      code: 'resource_not_connected',
      details: { resourceKey: 'web', lastSeenAt: expect.any(String) },
    })

    await runner.heartbeat()
    expect((await alice.launch(mission.objectives[0])).reused).toBe(false)
  })

  test.for(['missing', 'unreadable', 'not_a_repository'] as const)(
    'is not connected while its checkout is %s',
    async (state, { world }) => {
      const { alice, mission, project, runner } = await connectedMission(world, [
        { resourceKey: 'web' },
      ])
      const reported = { projectId: project.id, resourceKey: 'web', path: '/src/web', state }
      await runner.claim({ resources: [reported] })

      await expect(alice.launch(mission.objectives[0])).rejects.toMatchObject({
        code: 'resource_not_connected',
      })
    },
  )
})

test('the project’s pre-command and flags are frozen with the request, and its runner is told those of now beside them', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['write the docs'])
  const configure = (preCommand: string, flag: string) =>
    sql`update projects set pre_command = ${preCommand},
                 agent_settings = ${JSON.stringify({ scripted: { flags: [flag] } })}::jsonb
           where id = ${project.id}`.execute(world.domain.db)
  await configure('nvm use {NODE}', '--fast')
  const { executionRequest } = await alice.launch(mission.objectives[0])
  await configure('something else', '--slow')

  const runner = await world.connectedRunner(project)
  const { request } = await runner.claim()

  expect(executionRequest.config).toMatchObject({
    preCommand: { value: 'nvm use {NODE}', source: 'project' },
    flags: { value: ['--fast'], source: 'project' },
  })
  expect(request?.executionRequest.config).toEqual(executionRequest.config)
  expect(request?.launchSettings).toMatchObject({
    preCommand: 'something else',
    agentFlags: { scripted: ['--slow'] },
  })
})

test(
  verifies('launch.rest-or-tool', 'a launch by a tool writes and tells what one by REST does'),
  async ({ world }) => {
    const { alice } = world
    const choice = { agent: 'scripted', model: 'large', reasoningEffort: 'high' }
    const launches = {
      api: (id: string) => alice.call('launchObjective', { id, ...choice }),
      mcp: (objectiveId: string) => alice.tool('svc_launch_objective', { objectiveId, ...choice }),
    }
    const launched = async (source: keyof typeof launches) => {
      const { mission } = await world.missionWith(['One', 'Two'])
      const [objective] = mission.objectives
      const { rows } = await world.rowsWrittenBy(() => launches[source](objective.id))
      const [request] = await alice.requestsOf(mission)
      const changes = await world.domain.db
        .selectFrom('entity_changes')
        .select(['entity', 'operation'])
        .where('mission_id', '=', mission.id)
        .orderBy('seq')
        .execute()
      const { objectives } = await alice.mission(mission)
      const shown = [objectives, request, await alice.eventsOf(mission), changes, rows]
      return { source: request?.source, shown: likened(shown, mission.displayId) }
    }
    const [byRest, byTool] = [await launched('api'), await launched('mcp')]
    expect([byRest.source, byTool.source]).toEqual(['api', 'mcp'])
    expect(byTool.shown).toEqual(byRest.shown)
    expect(byTool.shown).toContain('execution_requested')
  },
)

/** Without what differs between any two launches: ids, times, numbers, and where each came from. */
function likened(shown: unknown, missionId: string): string {
  return JSON.stringify(shown)
    .replaceAll(new RegExp(`${missionId}\\.\\w+`, 'g'), 'objective')
    .replaceAll(`"${missionId}"`, '"mission"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"source":"(api|mcp)"/g, '')
    .replaceAll(/"sequence":\d+/g, '"sequence"')
}
