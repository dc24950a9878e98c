import { expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
import { changesOf, pressAll, pressButtons, refuseOwnMatters } from './press-all.ts'
import { routedPages } from './routed-pages.ts'
import { test } from './scene.ts'

test('whoever may only look finds nothing on any page that would change anything', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const { page } = await windowOf(scene.world.vera)
  const changes = await refuseOwnMatters(page)
  const pages = await routedPages(scene.world)
  expect(pages.length).toBeGreaterThan(3)
  for (const { key, path } of pages) {
    // a page whose address needs something to be about brings an example with it
    expect([key, path]).toEqual([key, expect.any(String)])
    await goTo(page, path ?? '')
    const busy = () => page.locator('main [aria-busy=true]').count()
    await expect.poll(busy, { message: key }).toBe(0)
    await pressAll(page)
    expect([key, await page.locator('main textarea').count()]).toEqual([key, 0])
    expect([key, changes]).toEqual([key, []])
  }
})

test('whoever may change things finds what does so by the same means', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const changes = changesOf(page)
  await page.evaluate(pressButtons)
  expect(changes).not.toEqual([])
})
