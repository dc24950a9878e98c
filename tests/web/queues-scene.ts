import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'
import { scripted } from '@svc/domain/testing/people'
import type { TestRunner } from '@svc/domain/testing/runner'

interface Queued {
  project: Project
  objectives: Objective[]
  runner: TestRunner
  queueId: string
}

/** A project of its own with these objectives in its default queue, in this order; nothing of it runs. */
export async function queuedWork(world: World, titles: readonly string[]): Promise<Queued> {
  const { alice } = world
  const { project, mission } = await world.missionWith(titles, { allowParallelObjectives: true })
  for (const { id } of mission.objectives) {
    await alice.call('updateObjective', { id, assigned_agent: scripted })
    await alice.call('queueObjective', { objectiveId: id })
  }
  const runner = await world.connectedRunner(project, { label: `lap-of-${project.slug}` })
  const { queues } = await alice.call('listRunQueues', { id: project.id })
  return { project, objectives: [...mission.objectives], runner, queueId: queues[0]?.id ?? '' }
}

/** The first of the queue is launched, and its agent is at work. */
export async function runFirst({ alice }: World, { queueId, runner }: Queued) {
  await alice.call('startRunQueue', { id: queueId })
  return attachNext(runner)
}

/** Whatever was launched is taken, and its agent is at work. */
export async function attachNext(runner: TestRunner) {
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  return { lease, agent }
}

const shownToAll = new WeakMap<World, Promise<Queued>>()

/** The same for all who only look at it: one runs, one is held, others wait, and a second queue is paused. */
export function queuesToLookAt(world: World): Promise<Queued> {
  const known = shownToAll.get(world) ?? makeQueues(world)
  shownToAll.set(world, known)
  return known
}

async function makeQueues(world: World): Promise<Queued> {
  const { alice } = world
  const queued = await queuedWork(world, [
    'Old export',
    'Theme switch',
    'Write the docs',
    'Tell the plug-in authors, in a note for the newsletter of half a page',
  ])
  const { project, runner, queueId } = queued
  await alice.call('startRunQueue', { id: queueId })
  await runner.failed(await runner.take())
  await runFirst(world, queued)
  const { queue } = await alice.call('createRunQueue', { id: project.id, name: 'Small things' })
  const { mission } = await world.missionWith(['Icons in two weights'], { project })
  await alice.call('queueObjective', { objectiveId: mission.objectives[0].id, queue: queue.id })
  await alice.call('pauseRunQueue', { id: queue.id })
  return queued
}
