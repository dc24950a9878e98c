import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'

const shownToAll = new WeakMap<World, Promise<Project>>()

/** A project in which much waits, for all who only look at it: `shop`. */
export function needsToLookAt(world: World): Promise<Project> {
  const known = shownToAll.get(world) ?? makeNeeds(world)
  shownToAll.set(world, known)
  return known
}

async function makeNeeds(world: World): Promise<Project> {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Shop', slug: 'shop' })
  const runner = await world.connectedRunner(project, { label: 'lap-2' })
  const made = async <const Steps extends readonly string[]>(title: string, steps: Steps) =>
    (await world.missionWith(steps, { project, title })).mission.objectives

  const [asking] = await made('Themes', ['Theme switch'])
  const asked = await world.attachedRun(asking, runner)
  await asked.agent.heartbeat({ percent: 60, note: 'writing tests' })
  await asked.agent.ask({
    question: 'Keep the old cookie name, or rename it and sign everybody out?',
    options: [
      { id: 'keep', label: 'Keep it', description: 'Nobody notices, and the name stays odd.' },
      { id: 'rename', label: 'Rename it' },
    ],
    allowFreeText: true,
  })

  const [search] = await made('Faster search', ['Search the newest first', 'Write the migration'])
  const searched = await world.attachedRun(search, runner)
  const stat = [
    { filePath: 'src/search.ts', additions: 212, deletions: 80 },
    { filePath: 'docs/search.png', additions: null, deletions: null },
  ]
  await runner.diff(searched.lease, { stat })
  await searched.agent.deliver({ report: { humanActions: [{ action: 'Run the migration' }] } })
  await runner.exited(searched.lease)

  const [failing] = await made('Newsletter', ['Tell the plug-in authors'])
  await alice.launch(failing)
  await runner.failed(await runner.take())

  const [untaken] = await made('Icons', ['Draw twelve icons'])
  await alice.launch(untaken, { agent: 'codex' })
  return project
}
