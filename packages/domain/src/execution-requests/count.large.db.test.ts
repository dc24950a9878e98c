import { expect } from 'vitest'
import { type World, test } from '../testing/world.ts'

const begun = '2020-01-01T00:00:00Z'

/** What is queued, running and delivered, of what `person` sees. */
async function counted(
  person: World['alice'],
  query: { projectId?: string; states?: string; countSince?: string } = {},
): Promise<number[]> {
  const { counts } = await person.call('listExecutionRequests', {
    countSince: begun,
    limit: 1,
    ...query,
  })
  return counts ? [counts.queued, counts.running, counts.delivered] : []
}

test('a list counts what is queued, what runs and what was delivered, of the projects that it is of', async ({
  world,
}) => {
  const { alice } = world
  const { mission, project } = await world.missionWith(['a', 'b', 'c', 'd'], {
    allowParallelObjectives: true,
  })
  const of = { projectId: project.slug }
  const [first, second, third, fourth] = mission.objectives
  const runner = await world.connectedRunner(project)
  expect(await counted(alice, of)).toEqual([0, 0, 0])

  const { agent, lease } = await world.attachedRun(first, runner)
  expect(await counted(alice, of)).toEqual([0, 1, 0])
  await agent.deliver()
  await runner.exited(lease)
  const asking = await world.attachedRun(second, runner)
  await asking.agent.ask()
  await alice.launch(third)
  await alice.launch(fourth)
  await runner.take()
  expect(await counted(alice, of)).toEqual([1, 2, 1])

  // of all pages, and whatever else is asked for
  expect(await counted(alice, { ...of, states: 'failed' })).toEqual([1, 2, 1])
  const other = await world.missionWith(['e'])
  await alice.launch(other.mission.objectives[0])
  expect(await counted(alice, of)).toEqual([1, 2, 1])
  expect(await counted(alice, { projectId: `${project.id},${other.project.slug}` })).toEqual([
    2, 2, 1,
  ])
  const { counts } = await alice.call('listExecutionRequests', of)
  expect(counts).toBeUndefined()
})

test('the deliveries that are counted are those since a moment, also of agents that nobody launched', async ({
  world,
}) => {
  const { mission, project } = await world.missionWith(['a', 'b'])
  const of = { projectId: project.slug }
  const deliver = async (objectiveId: string) => {
    const agent = world.agentOf(world.bob, { missionId: mission.id, objectiveId })
    await agent.attach()
    await agent.deliver()
  }
  await deliver(mission.objectives[0].id)
  await world.advance(60)
  const { now } = await world.domain.db
    .selectNoFrom(({ fn }) => fn<Date>('app.now').as('now'))
    .executeTakeFirstOrThrow()
  await deliver(mission.objectives[1].id)
  expect(await counted(world.vera, of)).toEqual([0, 0, 2])
  expect(await counted(world.vera, { ...of, countSince: now.toISOString() })).toEqual([0, 0, 1])
})

test('a token counts what it may see', async ({ world }) => {
  const { alice } = world
  const one = await world.missionWith(['a'])
  const other = await world.missionWith(['b'])
  const { agent } = await world.attachedRun(one.mission.objectives[0])
  await agent.deliver()
  await alice.launch(other.mission.objectives[0])
  const bound = await alice.withToken({ preset: 'read_only', projectIds: [other.project.id] })
  expect(await counted(bound)).toEqual([1, 0, 0])
  expect(await counted(world.carla)).toEqual([0, 0, 0])
})
