import type { ListedRun } from '@svc/contracts/execution-request'
import type { RouteRequest } from '@svc/contracts/rest'
import type { RunState } from '@svc/contracts/states'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { tokenForObjective } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'

test(
  verifies('request.scoped', 'a request names its project and is listed in its workspace alone'),
  async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0])

    expect(executionRequest.projectId).toBe(project.id)
    const seen = async (person: typeof alice) =>
      (await person.call('listExecutionRequests', { limit: 200 })).executionRequests.map(
        (one) => one.id,
      )
    expect(await seen(alice)).toContain(executionRequest.id)
    expect(await seen(world.vera)).toContain(executionRequest.id)
    expect(await seen(world.carla)).toEqual([])
  },
)

test('the runs of a project are listed, whatever it is named by, and of no other', async ({
  world,
}) => {
  const { alice } = world
  const [one, other] = [await world.missionWith(['a']), await world.missionWith(['b'])]
  const { executionRequest: run } = await alice.launch(one.mission.objectives[0])
  await alice.launch(other.mission.objectives[0])
  for (const projectId of [one.project.id, one.project.slug]) {
    const { executionRequests } = await alice.call('listExecutionRequests', { projectId })
    expect(executionRequests.map(({ id }) => id)).toEqual([run.id])
  }
  await expect(
    world.carla.call('listExecutionRequests', { projectId: one.project.id }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('requests are listed newest first, page by page, by objective and by status', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['a', 'b', 'c'], {
    allowParallelObjectives: true,
  })
  const ids: string[] = []
  for (const one of mission.objectives) ids.unshift((await alice.launch(one)).executionRequest.id)
  const runner = await world.connectedRunner({ id: mission.projectId })
  await runner.failed(await runner.take())
  const list = async (filter: object) => {
    const page = await alice.call('listExecutionRequests', { missionId: mission.id, ...filter })
    return { ids: page.executionRequests.map((one) => one.id), nextCursor: page.nextCursor }
  }

  const first = await list({ limit: 2 })
  expect(first.ids).toEqual(ids.slice(0, 2))
  expect(await list({ limit: 2, cursor: first.nextCursor })).toEqual({
    ids: ids.slice(2),
    nextCursor: undefined,
  })
  expect((await list({ states: 'failed' })).ids).toEqual(ids.slice(2))
  expect((await list({ states: 'failed,expired' })).ids).toEqual(ids.slice(2))
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  expect((await list({ states: 'running' })).ids).toEqual([lease.id])
  expect((await list({ states: 'launched' })).ids).toEqual([lease.id])
  expect((await list({ objectiveId: mission.objectives[1].displayId })).ids).toEqual([ids[1]])
})

test('a list says what the work of a run is called, also where that was deleted', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['write the docs'])
  const [objective] = mission.objectives
  const { lease, agent } = await world.attachedRun(objective)
  await agent.heartbeat({ percent: 40, note: 'running tests' })
  const list = async () =>
    (await alice.call('listExecutionRequests', { projectId: project.id })).executionRequests
  const [run] = await list()
  expect(run).toMatchObject({
    id: lease.id,
    mission: { displayId: mission.displayId, title: mission.title },
    objective: { displayId: objective.displayId, title: objective.title },
    deleted: false,
    runnerLabel: 'workbench',
    progress: { percent: 40, note: 'running tests' },
    lastHeardAt: expect.any(String),
  })
  expect(run).toMatchObject(await alice.request(lease))

  await alice.call('deleteMissions', {
    missionIds: [mission.id],
    confirm: true,
    running: [lease.id],
  })
  expect(await list()).toMatchObject([
    { id: lease.id, objective: { displayId: objective.displayId }, deleted: true },
  ])
})

test(
  'a list says why no runner takes a run, until one does',
  { tags: 'large' },
  async ({ world }) => {
    const { alice, mission, project } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0], { agent: 'rare' })
    const untaken = async () =>
      (await alice.call('listExecutionRequests', { missionId: mission.id })).untaken
    expect(await untaken()).toEqual({ [executionRequest.id]: 'no runner offers rare' })
    await world.connectedRunner(project, { agents: ['rare'] })
    expect(await untaken()).toEqual({})
  },
)

describe('the runs of many projects, runners and states', () => {
  test(
    'are found by each combination of these, each once and in order, page by page',
    { tags: 'large' },
    async ({ world }) => {
      const { alice } = world
      const scene = await manyRuns(world)
      const all = await pages(alice, { limit: 200 })
      expect(all.length).toBeGreaterThanOrEqual(20)
      const stateOf = (run: ListedRun): RunState => run.outcome ?? run.status
      const filters = scene.projects.flatMap((projectId) =>
        scene.runners.flatMap((runnerId) =>
          scene.states.map((states) => ({ projectId, runnerId, states })),
        ),
      )
      let found = 0
      for (const filter of filters) {
        const { projectId, runnerId, states } = filter
        const wanted = all.filter(
          (run) =>
            (projectId === undefined || run.projectId === projectId) &&
            (runnerId === undefined || run.runnerId === runnerId) &&
            (states === undefined ||
              states.split(',').some((state) => state === stateOf(run) || state === run.status)),
        )
        const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
        for (const limit of [2, 200]) {
          const read = await pages(alice, { ...given, limit })
          expect({ given, limit, ids: read.map(({ id }) => id) }).toEqual({
            given,
            limit,
            ids: wanted.map(({ id }) => id),
          })
        }
        found += wanted.length
      }
      expect(found).toBeGreaterThan(100)
    },
  )

  test(
    'are those of its projects for a token that is bound to them, and of its objective for a run’s',
    { tags: 'large' },
    async ({ world }) => {
      const { alice } = world
      const scene = await manyRuns(world)
      const [, one, other] = scene.projects
      const projectIds = [one!, other!, one!]
      const bound = await alice.withToken({ preset: 'full', projectIds })
      const all = await pages(alice, { limit: 200 })
      const theirs = all.filter((run) => projectIds.includes(run.projectId))
      expect(theirs.length).toBeLessThan(all.length)
      for (const limit of [3, 200]) {
        const read = await pages(bound, { limit })
        expect(read.map(({ id }) => id)).toEqual(theirs.map(({ id }) => id))
      }
      const [run] = theirs
      const own = await tokenForObjective(world, alice, { id: run!.objectiveId })
      const ofObjective = all.filter(({ objectiveId }) => objectiveId === run!.objectiveId)
      for (const filter of [{}, { projectId: run!.projectId }, { missionId: run!.missionId }]) {
        const read = await pages(own, { limit: 1, ...filter })
        expect(read.map(({ id }) => id)).toEqual(ofObjective.map(({ id }) => id))
      }
      const elsewhere = all.find(({ projectId }) => !projectIds.includes(projectId))!
      await expect(
        bound.call('listExecutionRequests', { projectId: elsewhere.projectId }),
      ).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  test(
    'are no longer listed from a run that is gone, and by no runner of somewhere else',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, carla } = world
      const { runners } = await manyRuns(world)
      const gone = { cursor: '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b00' }
      await expect(alice.call('listExecutionRequests', gone)).rejects.toMatchObject({
        code: 'validation_failed',
      })
      const runnerId = runners[1]!
      await expect(carla.call('listExecutionRequests', { runnerId })).rejects.toMatchObject({
        code: 'not_found',
      })
    },
  )

  test('are found where they run now by one call, the newest first', async ({ world }) => {
    const { mission, alice, project } = await world.missionWith(['a', 'b', 'c'], {
      allowParallelObjectives: true,
    })
    const runner = await world.connectedRunner(project)
    const over = await world.attachedRun(mission.objectives[0], runner)
    await over.agent.deliver()
    const under = await world.attachedRun(mission.objectives[1], runner)
    const { executionRequest: queued } = await alice.launch(mission.objectives[2])
    const live = 'queued,claimed,launching,running,parked'
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [project.id] })
    const { executionRequests } = await bound.call('listExecutionRequests', { states: live })
    expect(executionRequests.map(({ id }) => id)).toEqual([queued.id, under.lease.id])
  })
})

type Filter = RouteRequest<'listExecutionRequests'>

/** All that a caller is given, one page after the other. */
async function pages(caller: World['alice'], filter: Filter): Promise<ListedRun[]> {
  const found: ListedRun[] = []
  let cursor: string | undefined
  do {
    const page = await caller.call('listExecutionRequests', {
      ...filter,
      ...(cursor && { cursor }),
    })
    found.push(...page.executionRequests)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

/** In three projects, by two runners of all of them, in states that take turns; undefined stands for whichever. */
async function manyRuns(world: World) {
  const { alice } = world
  const missionInProject = () =>
    world.missionWith(['a', 'b', 'c', 'd'], { allowParallelObjectives: true })
  const missions = [
    await missionInProject(),
    await missionInProject(),
    await missionInProject(),
  ] as const
  const projects = missions.map(({ project }) => project.id)
  const runners = await Promise.all(
    ['attic', 'cellar'].map((label) =>
      world.connectedRunner(missions[0].project, { label, projectIds: projects }),
    ),
  )
  for (const [step, end] of (['deliver', 'fail', 'exit', 'run'] as const).entries()) {
    for (const [index, { mission }] of missions.entries()) {
      const runner = runners[(step + index) % 2]!
      const objective = mission.objectives[step]!
      await alice.launch(objective)
      const lease = await runner.take()
      if (end === 'fail') {
        await runner.failed(lease)
        await alice.launch(objective)
        continue
      }
      await runner.launching(lease)
      await runner.launched(lease)
      const agent = runner.agent(lease)
      await agent.attach()
      if (end === 'deliver') await agent.deliver()
      if (end === 'exit') await runner.exited(lease)
    }
  }
  const listed = (await alice.call('listRunners', {})).runners
  const ids = ['attic', 'cellar'].map((label) => listed.find((one) => one.label === label)!.id)
  return {
    projects: [undefined, ...projects],
    runners: [undefined, ...ids],
    states: [undefined, 'delivered', 'failed,exited', 'queued,running', 'launched', 'expired'],
  }
}
