import { expect } from 'vitest'
import { asking } from '../e2e/support/asking.ts'
import { openMission } from './open-mission.ts'
import { openRealWork } from './real-work.ts'
import { test } from './scene.ts'

test('a real agent on a real machine is launched, answered and delivers, all seen from a browser', async ({
  openApp,
  scene,
}) => {
  await using work = await openRealWork(scene, asking)
  const { page, misdeeds } = await openApp()
  await openMission(page, scene, work.mission.displayId)
  await page.keyboard.press('l')
  const sheet = page.getByRole('dialog', { name: /^Launch / })
  await sheet.getByRole('region', { name: 'Who can take it' }).getByText('idle').waitFor()
  await sheet.getByLabel('Agent').selectOption('scripted')
  await page.keyboard.press('Control+Enter')
  await sheet.waitFor({ state: 'detached' })

  const questions = page.getByRole('region', { name: 'Questions' })
  const field = questions.getByRole('textbox', { name: 'An answer in your words' })
  await field.waitFor()
  // its agent has ended, and a run that goes on takes the answer
  await work.untilRequest('parked', ({ outcome }) => outcome === 'parked')
  await page.keyboard.press('a')
  await page.keyboard.type('English.')
  await page.keyboard.press('Control+Enter')
  await questions.getByText('goes on in a run that is queued').waitFor()

  const row = page.getByRole('button', { name: /\(complete\)$/ })
  await row.waitFor()
  await row.click()
  await page.getByRole('region', { name: 'Delivered' }).waitFor()
  const runs = page.getByRole('region', { name: 'Runs' })
  await runs.getByText('delivered').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('English.').waitFor()
  expect(await work.phase()).toBe('review')
  expect(misdeeds).toEqual([])
})
