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
  await runner.claim({ projectIds: [] })
  await row.getByText('here', { exact: true }).waitFor()
})
