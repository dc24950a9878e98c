import { openMission } from './open-mission.ts'
import { test } from './scene.ts'

test('a sheet says where a runner refuses what is launched unless its machine trusts it, and what trusts it there', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { project, mission } = await scene.world.missionWith(['Theme switch'])
  await scene.world.connectedRunner(project, { label: 'lap-1', agents: ['scripted', 'codex'] })
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.keyboard.press('l')
  const sheet = page.getByRole('dialog', { name: /^Launch / })
  await sheet.getByLabel('Agent').selectOption('scripted')
  const able = sheet.getByRole('region', { name: 'Who can take it' })
  await able.getByText('idle').waitFor()
  const command = able.getByText(`npm run -s svc -- runner trust ${project.slug}`)
  await command.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')

  const agents = { scripted: { flags: ['--fast'] } }
  await alice.call('updateLaunchSettings', { id: project.id, agents })
  await page.keyboard.press('l')
  await sheet.getByLabel('Agent').selectOption('scripted')
  await able.getByText('told to trust them').waitFor()
  await command.waitFor()
  // of these settings another agent uses nothing
  await sheet.getByLabel('Agent').selectOption('codex')
  await command.waitFor({ state: 'detached' })
})
