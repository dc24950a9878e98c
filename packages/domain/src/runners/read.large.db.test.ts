import { nextName } from '../testing/plans.ts'
import { type World, test } from '../testing/world.ts'
import { expect } from 'vitest'

async function idOf(world: World, label: string): Promise<string> {
  const { runners } = await world.alice.call('listRunners', {})
  return runners.find((one) => one.label === label)?.id ?? ''
}

test('a runner is read with its owner, its agents, its checkouts and what it carries', async ({
  world,
}) => {
  const { alice, bob } = world
  const { project, mission } = await world.missionWith(['a', 'b'], {
    resources: [{ resourceKey: 'app', primary: true }, { resourceKey: 'docs' }],
    allowParallelObjectives: true,
  })
  const label = nextName('box')
  const box = await world.connectedRunner(project, { label })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const checkout = (resourceKey: string, state: 'usable' | 'missing') => ({
    projectId: project.id,
    resourceKey,
    path: `/src/${resourceKey}`,
    state,
  })
  const report = {
    agents: [{ key: 'scripted', version: '1.0', path: '/bin/scripted' }],
    heldAgents: [{ key: 'codex', reason: 'quota' as const, until }],
    resources: [checkout('app', 'usable'), checkout('docs', 'missing'), checkout('gone', 'usable')],
  }
  await box.claim(report)
  const [over, under] = mission.objectives
  await alice.launch(over)
  await box.failed(await box.take(report))
  await alice.launch(under)
  const lease = await box.take(report)

  const id = await idOf(world, label)
  const { runner, executionRequests } = await alice.call('getRunner', { id })
  const shown = { id: project.id, slug: project.slug }
  expect(runner).toMatchObject({
    label,
    state: 'connected',
    owner: { id: (await alice.actor()).userId, name: 'alice' },
    projects: [shown],
    agents: ['scripted'],
    offers: [{ key: 'scripted', version: '1.0', path: '/bin/scripted' }],
    heldAgents: [{ key: 'codex', reason: 'quota', until }],
    checkouts: [
      { project: shown, resourceKey: 'app', state: 'usable', path: '/src/app' },
      { project: shown, resourceKey: 'docs', state: 'missing', path: '/src/docs' },
    ],
  })
  expect(executionRequests).toMatchObject([
    { id: lease.id, status: 'claimed', objective: { displayId: under.displayId } },
  ])

  const seenByBob = (await bob.call('getRunner', { id })).runner
  expect(seenByBob.offers).toMatchObject([{ key: 'scripted', path: null }])
  expect(seenByBob.checkouts.map(({ path }) => path)).toEqual([null, null])
})

test('a runner is read within what a token is bound to, and by nobody elsewhere', async ({
  world,
}) => {
  const { alice, carla } = world
  const { project, mission } = await world.missionWith(['a'], {
    resources: [{ resourceKey: 'app', primary: true }],
  })
  const other = await world.projectWith()
  const label = nextName('box')
  const box = await world.connectedRunner(project, {
    label,
    resources: [{ projectId: project.id, resourceKey: 'app' }],
  })
  await alice.launch(mission.objectives[0])
  await box.take({ projectIds: [project.id, other.id] })
  const id = await idOf(world, label)
  const read = async (projectId: string) => {
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [projectId] })
    const { runner, executionRequests } = await bound.call('getRunner', { id })
    const { projects, checkouts } = runner
    return [projects, checkouts, executionRequests].map((list) => list?.length)
  }
  expect(await read(project.id)).toEqual([1, 1, 1])
  expect(await read(other.id)).toEqual([1, 0, 0])
  const withoutRuns = await alice.withToken({ permissions: ['project:read'] })
  expect((await withoutRuns.call('getRunner', { id })).executionRequests).toEqual([])
  await expect(carla.call('getRunner', { id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a runner that was removed is read no more', async ({ world }) => {
  const label = nextName('box')
  await world.connectedRunner(await world.projectWith(), { label })
  const id = await idOf(world, label)
  await world.alice.call('removeRunner', { id })
  await expect(world.alice.call('getRunner', { id })).rejects.toMatchObject({ code: 'not_found' })
})
