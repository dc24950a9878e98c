import { tokenForObjective } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { expect } from 'vitest'

test('a token of one objective, and what it mints, reads the mission and changes neither it nor others', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['first', 'second'])
  const [own, sibling] = mission.objectives
  const bound = await tokenForObjective(world, alice, own)

  for (const caller of [bound, await bound.withPreset('mission_lifecycle')]) {
    const { call } = caller
    const refused = { code: 'forbidden' }
    expect(await caller.mission(mission)).toMatchObject({ id: mission.id })
    const { objective } = await call('updateObjective', { id: own.id, title: 'Mine' })
    expect(objective.title).toBe('Mine')
    await expect(call('updateMission', { id: mission.id, title: 'Mine' })).rejects.toMatchObject(
      refused,
    )
    await expect(call('updateObjective', { id: own.id, auto_advance: true })).rejects.toMatchObject(
      refused,
    )
    await expect(
      call('addObjectives', { id: mission.id, objectives: [{ instruction: 'x' }] }),
    ).rejects.toMatchObject(refused)
    await expect(call('updateObjective', { id: sibling.id, title: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('a token of one objective lists that project, that mission and the runs of that objective alone', async ({
  world,
}) => {
  const { alice, mission, project } = await world.missionWith(['first', 'second'], {
    allowParallelObjectives: true,
  })
  const elsewhere = await world.missionWith(['third'], { project })
  const [own, sibling] = mission.objectives
  const { executionRequest } = await alice.launch(own)
  for (const other of [sibling, elsewhere.mission.objectives[0]]) await alice.launch(other)
  await world.projectWith()

  const bound = await tokenForObjective(world, alice, own)
  const { projects } = await bound.call('listProjects', {})
  const { candidates } = await bound.call('resolveProject', {})
  const { missions } = await bound.call('listMissions', {})
  const { executionRequests } = await bound.call('listExecutionRequests', {})
  const ofMission = await bound.requestsOf(mission)
  const { objectives } = await bound.mission(mission)

  expect(projects.map((one) => one.id)).toEqual([project.id])
  expect(candidates.map((one) => one.id)).toEqual([project.id])
  expect(missions.map((one) => one.id)).toEqual([mission.id])
  expect(executionRequests.map((one) => one.id)).toEqual([executionRequest.id])
  expect(ofMission.map((one) => one.id)).toEqual([executionRequest.id])
  expect(objectives.map((one) => one.id)).toEqual([own.id, sibling.id])
})

test('a token of one objective is good for nothing once its objective is not within its projects', async ({
  world,
}) => {
  const { alice, mission } = await world.missionWith(['first'])
  const other = await world.projectWith()
  const bound = await tokenForObjective(world, alice, mission.objectives[0])
  expect(await bound.mission(mission)).toMatchObject({ id: mission.id })
  await world.domain.db
    .updateTable('user_tokens')
    .set({ project_ids: [other.id] })
    .where('id', '=', (await bound.actor()).credential.id)
    .execute()
  await expect(bound.call('getMe', {})).rejects.toMatchObject({ code: 'unauthenticated' })
})

test(
  'a token of one objective neither claims runs nor reports on them, not even on its own',
  { tags: 'large' },
  async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first'])
    const { runner, lease } = await world.startedRun(mission.objectives[0])
    const bound = await tokenForObjective(world, alice, mission.objectives[0])
    const { id, leaseToken } = lease
    const refused = { code: 'forbidden', details: { permission: 'execution_request:report' } }
    await expect(bound.call('reportLaunching', { id, leaseToken })).rejects.toMatchObject(refused)
    const { instanceId } = runner
    await expect(bound.call('heartbeatRunner', { instanceId, leases: [] })).rejects.toMatchObject(
      refused,
    )
  },
)
