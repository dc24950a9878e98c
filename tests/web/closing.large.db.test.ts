import { cardIn, columnOf, openBoard } from './open-board.ts'
import { openMission } from './open-mission.ts'
import { test } from './scene.ts'

test('a mission that is closed by its menu with something left undone has that named', async ({
  openApp,
  scene,
}) => {
  const { mission } = await scene.world.missionWith(['Draw them'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.getByRole('button', { name: /^Status / }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  const [{ displayId }] = mission.objectives
  await page
    .getByText(`Moved to Done. 1 objective of it is not done: ${displayId}.`)
    .first()
    .waitFor()
})

test('a mission that is closed on its board with something left undone has that named', async ({
  openApp,
  scene,
}) => {
  const { project, mission } = await scene.world.missionWith(['Draw them', 'Ship them'], {
    title: 'Dark icons',
  })
  const { page } = await openApp()
  await openBoard(page, scene, project)
  const card = cardIn(page, 'Backlog', 'Dark icons')
  await card.hover()
  await card.getByRole('button', { name: /^What to do with / }).click()
  await page.getByRole('menuitem', { name: 'Move to …' }).click()
  const dialog = page.getByRole('dialog', { name: /^Move .* to$/ })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await columnOf(page, 'Done').getByText('Dark icons').waitFor()
  const names = mission.objectives.map(({ displayId }) => displayId).join(', ')
  await page
    .getByText(`${mission.displayId} is closed. 2 objectives of it are not done: ${names}.`)
    .first()
    .waitFor()
})
