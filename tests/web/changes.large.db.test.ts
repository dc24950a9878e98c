import { expect } from 'vitest'
import { openMission } from './open-mission.ts'
import { openReview } from './open-review.ts'
import { openRealWork } from './real-work.ts'
import { test } from './scene.ts'

test('a note on a line of what a real agent has delivered becomes its next objective, which it delivers', async ({
  openApp,
  scene,
}) => {
  await using work = await openRealWork(scene, {})
  await work.launch()
  await work.untilRequest('delivered', ({ outcome }) => outcome === 'delivered')
  await work.untilEnded()
  const { page, misdeeds } = await openApp()
  await openReview(page, scene, work.mission, '?f=scripted-agent.md')
  await page.getByRole('button', { name: /note on scripted-agent\.md:1$/ }).click()
  await page.getByLabel('Note on scripted-agent.md:1', { exact: true }).fill('In capitals.')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('R')
  const dialog = page.getByRole('dialog', { name: 'Ask for changes' })
  await dialog.getByLabel('Launch it at once').check()
  await dialog.getByRole('button', { name: 'Add and launch' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { objectives } = (await work.client.call('getMission', { id: work.mission.id })) as {
    objectives: readonly { instruction: string; state: string }[]
  }
  expect(objectives.at(-1)?.instruction).toBe('scripted-agent.md:1: In capitals.')
  await openMission(page, scene, work.mission.displayId)
  const rows = page.getByRole('button', { name: /\(complete\)$/ })
  await expect.poll(() => rows.count()).toBe(2)
  expect(await work.phase()).toBe('review')
  expect(misdeeds).toEqual([])
})
