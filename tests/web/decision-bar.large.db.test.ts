import { expect } from 'vitest'
import { deliveredMission } from '../pages/delivered-mission.ts'
import { openReview } from './open-review.ts'
import { test } from './scene.ts'

test('on a phone the decision stands above the navigation, whose words stay on one line', async ({
  openApp,
  scene,
}) => {
  const { page, misdeeds } = await openApp()
  await page.setViewportSize({ width: 390, height: 800 })
  const { mission } = await deliveredMission(scene.world)
  await openReview(page, scene, mission)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByText('Needs you 1').waitFor()
  const [bar, nav] = await Promise.all(
    [page.getByRole('group', { name: 'Decision' }), pages].map((one) => one.boundingBox()),
  )
  if (!bar || !nav) throw new Error('they are on the page')
  expect(bar.y + bar.height).toBeLessThanOrEqual(nav.y + 0.5)
  expect(nav.y + nav.height).toBeCloseTo(800, 0)
  const words = await pages.getByText('Needs you 1').boundingBox()
  expect(words?.height).toBeLessThan(30)
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByLabel('What is to be different').fill('Bound this by 500, too.')
  await page.getByRole('button', { name: 'Add objective' }).click()
  const said = await page.getByRole('list', { name: 'Messages' }).boundingBox()
  expect(said && said.y + said.height).toBeLessThan(bar.y)
  expect(misdeeds).toEqual([])
})
