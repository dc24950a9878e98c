import { expect } from 'vitest'
import { objectiveRow, openMission } from './open-mission.ts'
import { test } from './scene.ts'

test('a download that failed says so until it is tried again', async ({ openApp, scene }) => {
  const { mission } = await scene.world.missionWith(['Draw them'])
  const [{ id }] = mission.objectives
  const bytes = Buffer.from('a picture')
  await scene.world.alice.call('addAttachment', { id, name: 'sketch.png', bytes })
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await objectiveRow(page, 'Draw them', 'draft').click()
  const error = { code: 'internal', message: 'Something went wrong here.', requestId: 'r' }
  await page.route('**/api/attachments/*', (route) =>
    route.fulfill({ status: 500, json: { error } }),
  )
  const file = page.getByRole('button', { name: /^Download sketch.png/ })
  await file.click()
  const said = page.getByText('Something went wrong here.')
  await said.waitFor()
  await page.unroute('**/api/attachments/*')
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
  expect(download.suggestedFilename()).toBe('sketch.png')
  expect(await said.count()).toBe(0)
})

test('a pasted file that is not attached is told of also once the text that it was pasted into is closed', async ({
  openApp,
  scene,
}) => {
  const { mission } = await scene.world.missionWith(['Draw them'])
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await objectiveRow(page, 'Draw them', 'draft').click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/attachments*', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await released
    const error = { code: 'forbidden', message: 'Not now.', requestId: 'r' }
    await route.fulfill({ status: 403, json: { error } })
  })
  await page.getByRole('textbox', { name: 'Instruction' }).waitFor()
  await page.evaluate(`(() => {
    const carried = new DataTransfer()
    carried.items.add(new File(['x'], 'pasted.txt', { type: 'text/plain' }))
    const paste = { bubbles: true, cancelable: true, clipboardData: carried }
    document.querySelector('textarea[data-action="edit"]').dispatchEvent(new ClipboardEvent('paste', paste))
  })()`)
  await page.getByText('is being sent').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('textbox', { name: 'Instruction' }).waitFor({ state: 'detached' })
  release()
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.getByText('pasted.txt is not attached, as far as is known. Not now.').waitFor()
})

test('an attached file is removed by who has said so twice', async ({ openApp, scene }) => {
  const { alice } = scene.world
  const { mission } = await scene.world.missionWith(['Draw them'])
  const [{ id }] = mission.objectives
  await alice.call('addAttachment', { id, name: 'sketch.png', bytes: Buffer.from('a picture') })
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await objectiveRow(page, 'Draw them', 'draft').click()
  const dialog = page.getByRole('dialog', { name: 'Remove sketch.png' })
  const remove = page.getByRole('button', { name: 'Remove sketch.png' })
  await remove.click()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'detached' })
  const names = async () =>
    (await alice.call('listAttachments', { id })).attachments.map(({ name }) => name)
  expect(await names()).toEqual(['sketch.png'])
  await remove.click()
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await remove.waitFor({ state: 'detached' })
  expect(await names()).toEqual([])
})
