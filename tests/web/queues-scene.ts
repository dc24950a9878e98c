import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'
import { scripted } from '@svc/domain/testing/people'
import type { TestRunner } from '@svc/domain/testing/runner'
import type { Locator, Page } from 'playwright-core'
import type { PageScene } from '../pages/scene.ts'
import { expectLive, slugOf } from './scene.ts'

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

export async function openQueues(
  page: Page,
  scene: PageScene,
  { slug }: { slug: string },
): Promise<void> {
  await page.goto(`/w/${await slugOf(scene)}/p/${slug}/queues`)
  await expectLive(page)
  await page.getByRole('heading', { name: 'Default' }).waitFor()
}

export function entryRow(page: Page, title: string): Locator {
  return page.locator('[data-sorted]').filter({ has: page.getByText(title, { exact: true }) })
}

/** Of all queues, in the order of the page. */
export async function entryTitles(page: Page): Promise<string[]> {
  return page
    .locator('[data-sorted]')
    .evaluateAll((rows) => rows.map((row) => row.querySelectorAll('bdi')[2]?.textContent ?? ''))
}
