import { expect } from 'vitest'
import { openMission } from './open-mission.ts'
import { entryRow, openQueues } from './open-queues.ts'
import { queuedWork } from './queues-scene.ts'
import { test } from './scene.ts'

test('the dialog that queues asks for the agent, and names it for the objective', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { project, mission } = await scene.world.missionWith(['Theme switch'])
  await scene.world.connectedRunner(project)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.getByRole('button', { name: /^Theme switch \(/ }).click()
  await page.getByRole('button', { name: 'Queue …' }).click()
  const dialog = page.getByRole('dialog', { name: /^Queue / })
  expect(await dialog.getByLabel('Agent').inputValue()).toBe('scripted')
  await dialog.getByRole('button', { name: 'Queue it' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [{ id }] = mission.objectives
  expect((await alice.objective({ id })).assigned_agent).toBe('scripted')
  const { queues } = await alice.call('listRunQueues', { id: project.id })
  expect(queues[0]?.entries).toMatchObject([{ objectiveId: id, reason: 'turn' }])
})

test('an entry that lacks an agent leads to where it is named', async ({ openApp, scene }) => {
  const { alice } = scene.world
  const { project, mission } = await scene.world.missionWith(['Old export'])
  const [{ id }] = mission.objectives
  await alice.call('queueObjective', { objectiveId: id })
  const { page } = await openApp()
  await openQueues(page, scene, project)
  await entryRow(page, 'Old export').getByText('No agent is named for it').waitFor()
  await page.getByRole('link', { name: 'Name its agent' }).click()
  await page.locator('select[data-action="agent"]:focus').waitFor()
})

test('a queue that a person has paused is set going by one press', async ({ openApp, scene }) => {
  const { project, queueId } = await queuedWork(scene.world, ['Write the docs'])
  await scene.world.alice.call('pauseRunQueue', { id: queueId })
  const { page } = await openApp()
  await openQueues(page, scene, project)
  const entry = entryRow(page, 'Write the docs')
  await entry.getByText('a start launches it and ends the pause').waitFor()
  expect(await page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
  await page.getByRole('button', { name: 'End the pause' }).waitFor()
  await page.getByRole('button', { name: 'Start' }).click()
  await entry.getByText('launching').waitFor()
})
