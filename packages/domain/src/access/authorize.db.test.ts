import type { Person } from '../testing/people.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return String((error as { code?: string }).code) // whatever it is, it is printed
  }
}

/** What each preset is for, tried by alice, who has every permission herself. */
async function tryAll(world: World, person: Person) {
  const { mission, project } = await world.missionWith(['write the docs', 'ship it'])
  const [objective] = mission.objectives
  const runner = await world.connectedRunner(project)
  const reports = { instanceId: runner.instanceId, leases: [] }
  return {
    me: await outcomeOf(person.call('getMe', {})),
    projects: await outcomeOf(person.call('listProjects', {})),
    mission: await outcomeOf(person.mission(mission)),
    launch: await outcomeOf(person.launch(objective)),
    attach: await outcomeOf(person.protocol('attach', attachTo(mission.id))),
    report: await outcomeOf(person.call('heartbeatRunner', reports)),
    create: await outcomeOf(person.call('createProject', { name: `of ${mission.id}` })),
    link: await outcomeOf(
      person.call('linkProjectResource', { id: project.id, resourceKey: 'web' }),
    ),
    mint: await outcomeOf(person.withPreset('webhook_consumer')),
  }
}

function attachTo(missionId: string) {
  return { missionId, agentIdentifier: 'scripted' }
}

const all = {
  me: 'done',
  projects: 'done',
  mission: 'done',
  launch: 'done',
  attach: 'done',
  report: 'done',
  create: 'done',
  link: 'done',
  mint: 'done',
}
const nothing = Object.fromEntries(Object.keys(all).map((name) => [name, 'forbidden']))

describe('a preset', () => {
  test('full allows everything that the role does', { tags: 'large' }, async ({ world }) => {
    expect(await tryAll(world, world.alice)).toEqual(all)
  })

  test(
    verifies(
      'auth.preset-mission-lifecycle',
      'mission_lifecycle allows all but running for others',
    ),
    async ({ world }) => {
      expect(await tryAll(world, await world.alice.withPreset('mission_lifecycle'))).toEqual({
        ...all,
        report: 'forbidden',
        link: 'forbidden',
        mint: 'forbidden',
      })
    },
  )

  test('runner allows to run what others launch', { tags: 'large' }, async ({ world }) => {
    expect(await tryAll(world, await world.alice.withPreset('runner'))).toEqual({
      ...all,
      launch: 'forbidden',
      create: 'forbidden',
      link: 'forbidden',
      mint: 'forbidden',
    })
  })

  test('read_only allows to read', async ({ world }) => {
    expect(await tryAll(world, await world.alice.withPreset('read_only'))).toEqual({
      ...nothing,
      me: 'done',
      projects: 'done',
      mission: 'done',
    })
  })

  test('webhook_consumer allows to read missions', async ({ world }) => {
    expect(await tryAll(world, await world.alice.withPreset('webhook_consumer'))).toEqual({
      ...nothing,
      me: 'done',
      mission: 'done',
    })
  })
})

describe('a token', () => {
  test('scoped to nothing may do nothing, and sees nothing', async ({ world }) => {
    expect(await tryAll(world, await world.alice.withToken({ permissions: [] }))).toEqual({
      ...nothing,
      me: 'done',
      mission: 'not_found',
      launch: 'not_found',
      attach: 'not_found',
      link: 'not_found',
    })
  })

  test('of a viewer may read and have tokens, whatever its scope', async ({ world }) => {
    expect(await tryAll(world, world.vera)).toEqual({
      ...nothing,
      me: 'done',
      projects: 'done',
      mission: 'done',
      mint: 'done',
    })
  })

  test('bound to a project works there as anywhere', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['first', 'second'])
    const bound = await alice.withToken({ preset: 'full', projectIds: [project.id] })

    const created = await bound.call('createMission', {
      projectId: project.id,
      title: 'Another',
      auto_advance: true,
      objectives: [{ instruction: 'write the docs' }],
    })
    await bound.call('updateMission', { id: mission.id, auto_advance: true })
    const [objective] = created.objectives

    expect((await bound.launch(objective!)).objective.state).toBe('launching')
  })

  test('bound to a project may approve there by attaching', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['first', 'second'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    const bound = await alice.withToken({ preset: 'full', projectIds: [project.id] })

    const objectiveId = mission.objectives[1].displayId
    const { session } = await world.agentOf(bound, { objectiveId }).attach()

    expect(session.objectiveId).toBe(mission.objectives[1].id)
  })

  test('bound to a project lists that one alone, and makes no other', async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const other = await world.missionWith(['write the tests'])
    await alice.launch(other.mission.objectives[0])
    const bound = await alice.withToken({ preset: 'full', projectIds: [project.id] })

    const { projects } = await bound.call('listProjects', {})
    const { missions } = await bound.call('listMissions', {})
    const { executionRequests } = await bound.call('listExecutionRequests', {})

    expect(projects.map((one) => one.id)).toEqual([project.id])
    expect(missions.map((one) => one.id)).toEqual([mission.id])
    expect(executionRequests.map((one) => one.missionId)).toEqual([mission.id])
    await expect(bound.call('createProject', { name: 'Mine' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
