import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { mostLookedThrough } from './read.ts'

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

test('the runs of a project behind more of another one are reached page by page, each run once', async ({
  world,
}) => {
  const { alice } = world
  const [one, other] = [await world.missionWith(['a']), await world.missionWith(['b'])]
  const { executionRequest: run } = await alice.launch(one.mission.objectives[0])
  const { executionRequest: newer } = await alice.launch(other.mission.objectives[0])
  await sql`
    insert into execution_requests (workspace_id, id, project_id, mission_id, objective_id, kind, status,
                                    source, agent, config, generation, requested_by, ended_at, failure)
    select workspace_id, gen_random_uuid(), project_id, mission_id, objective_id, kind, 'cancelled', source,
           agent, config, generation, requested_by, created_at, failure
      from execution_requests, generate_series(1, ${mostLookedThrough} - 1) where id = ${newer.id}`.execute(
    world.domain.db,
  )
  const list = (filter: object) => alice.call('listExecutionRequests', filter)
  const of = { projectId: one.project.id }
  const first = await list(of)
  expect(first.executionRequests).toEqual([])
  const second = await list({ ...of, cursor: first.nextCursor })
  expect(second.executionRequests.map(({ id }) => id)).toEqual([run.id])
  expect(second.nextCursor).toBeUndefined()

  const last = await list({ projectId: other.project.id, status: 'queued' })
  expect(last.executionRequests.map(({ id }) => id)).toEqual([newer.id])
  expect(last.nextCursor).toBe(newer.id)
})

test('a launch that finds a run of another one’s runner tells its state and not its folder', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['write the docs'])
  const [objective] = mission.objectives
  await alice.launch(objective)
  const runner = await world.connectedRunner(project, { owner: world.bob })
  const lease = await runner.take()

  expect(await runner.launching(lease, 'svc/docs')).toMatchObject({ workingDirectory: '/src/work' })
  expect(await alice.launch(objective)).toMatchObject({
    reused: true,
    executionRequest: { status: 'launching', branch: 'svc/docs', workingDirectory: null },
  })
  expect(await world.bob.launch(objective)).toMatchObject({
    executionRequest: { workingDirectory: '/src/work' },
  })
  expect(await runner.released(lease)).toMatchObject({ workingDirectory: null })
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
  expect((await list({ status: 'failed' })).ids).toEqual(ids.slice(2))
  expect((await list({ state: 'failed' })).ids).toEqual(ids.slice(2))
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  expect((await list({ state: 'running' })).ids).toEqual([lease.id])
  expect((await list({ state: 'launched' })).ids).toEqual([])
  expect((await list({ objectiveId: mission.objectives[1].displayId })).ids).toEqual([ids[1]])
})
