import { openRunners, rowOf } from './open-runners.ts'
import { test } from './scene.ts'

test('a runner that nothing is heard of any more is shown as away, and comes back', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const project = await world.projectWith()
  const runner = await world.connectedRunner(project, { label: 'silent-1' })
  const { page } = await openApp()
  await openRunners(page, scene)
  const row = rowOf(page, 'silent-1')
  await row.getByText('here', { exact: true }).waitFor()
  await world.advance(120)
  // nobody tells of silence: the page looks for it
  await row.getByText('away', { exact: true }).waitFor({ timeout: 45_000 })
  await row.getByText('On its machine').click()
  await row.getByText('svc runner start', { exact: true }).waitFor()
  await runner.claim({ projectIds: [] })
  await row.getByText('here', { exact: true }).waitFor()
})

test('a runner that offers no agent is not ready, and its page says what makes it so', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const project = await world.projectWith()
  const { page } = await openApp()
  await openRunners(page, scene)
  await page.getByRole('button', { name: /^Add a runner/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a runner' })
  await dialog.getByText('Waiting for the runner.').waitFor()
  await world.connectedRunner(project, { label: 'bare', agents: [] })
  await dialog.getByText('bare is here, and is not ready yet.').waitFor()
  await dialog.getByText('SVC_SCRIPTED_AGENT=').waitFor()
  await page.keyboard.press('Escape')
  await rowOf(page, 'bare').getByText('no agent', { exact: true }).waitFor()
})
