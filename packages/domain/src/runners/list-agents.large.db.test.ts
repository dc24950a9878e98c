import { nextName } from '../testing/plans.ts'
import { type World, test } from '../testing/world.ts'
import { expect } from 'vitest'

const until = new Date(Date.now() + 3_600_000).toISOString()

test('agents are known from runners, from projects and from the newest runs', async ({ world }) => {
  const { alice, agents, labels } = await sceneOf(world)
  const known = await agentsSeenBy(alice, agents)
  expect(known).toEqual([
    {
      key: agents.offered,
      // the newest run first, and what projects set behind them; each once
      models: ['big', 'small', 'huge'],
      efforts: ['low', 'high'],
      runners: [{ id: expect.any(String), label: labels.box, state: 'connected' }],
      heldBy: [
        {
          id: expect.any(String),
          label: labels.laptop,
          state: 'connected',
          reason: 'rate_limit',
          until,
        },
      ],
    },
    { key: agents.set, models: ['tiny'], efforts: [], runners: [], heldBy: [] },
    { key: agents.used, models: [], efforts: [], runners: [], heldBy: [] },
  ])
})

test('a runner that is away still offers its agents, and says that it is away', async ({
  world,
}) => {
  const { alice, agents } = await sceneOf(world)
  await world.advance(600)
  const [offered] = await agentsSeenBy(alice, agents)
  expect(offered?.runners).toMatchObject([{ state: 'unavailable' }])
})

test('a token sees what its projects set and their runs used, and every runner', async ({
  world,
}) => {
  const { alice, agents, project } = await sceneOf(world)
  const other = await world.projectWith()
  const within = async (id: string) => {
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [id] })
    return (await agentsSeenBy(bound, agents)).map(({ key, models }) => [key, models.length])
  }
  expect(await within(project.id)).toEqual([
    [agents.offered, 3],
    [agents.set, 1],
    [agents.used, 0],
  ])
  expect(await within(other.id)).toEqual([[agents.offered, 0]])
  const withoutRuns = await alice.withToken({ permissions: ['project:read'] })
  expect((await agentsSeenBy(withoutRuns, agents)).map(({ models }) => models)).toEqual([
    ['huge'],
    ['tiny'],
  ])
  expect(await agentsSeenBy(world.carla, agents)).toEqual([])
})

type Agents = Awaited<ReturnType<typeof sceneOf>>['agents']

async function agentsSeenBy(caller: World['alice'], agents: Agents) {
  const own: readonly string[] = Object.values(agents)
  return (await caller.call('listAgents', {})).agents.filter(({ key }) => own.includes(key))
}

/** One agent that a runner offers and another one holds, one of settings alone, and one that was launched alone. */
async function sceneOf(world: World) {
  const { project, mission, alice } = await world.missionWith(['a', 'b', 'c'], {
    allowParallelObjectives: true,
  })
  const agents = { offered: nextName('a'), set: nextName('b'), used: nextName('c') }
  const labels = { box: nextName('box'), laptop: nextName('laptop') }
  await world.connectedRunner(project, { label: labels.box, agents: [agents.offered] })
  const laptop = await world.connectedRunner(project, { label: labels.laptop })
  const heldAgents = [{ key: agents.offered, reason: 'rate_limit' as const, until }]
  await laptop.claim({ projectIds: [], agents: [], heldAgents })
  const [a, b, c] = mission.objectives
  await alice.launch(a, { agent: agents.offered, model: 'small', reasoningEffort: 'low' })
  await alice.launch(b, { agent: agents.offered, model: 'big' })
  await alice.launch(c, { agent: agents.used })
  await alice.call('updateLaunchSettings', {
    id: project.id,
    agents: {
      [agents.offered]: { model: 'huge', reasoningEffort: 'high' },
      [agents.set]: { model: 'tiny' },
    },
  })
  return { alice, project, agents, labels }
}
