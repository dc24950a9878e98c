import { expect } from 'vitest'
import { signInCookies } from '../pages/scene.ts'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
import { changesOf, pressAll, pressButtons, refuseOwnMatters } from './press-all.ts'
import { routedPages } from './routed-pages.ts'
import { expectLive, slugOf, test } from './scene.ts'

test('whoever may only look finds nothing on any page that would change anything', async ({
  windows,
  scene,
}) => {
  const { userId } = await scene.world.vera.actor()
  const cookies = await signInCookies(scene.world, { userId, baseUrl: scene.baseUrl })
  const page = await windows(async (browser) => {
    const context = await browser.newContext({ baseURL: scene.baseUrl })
    await context.addCookies(cookies)
    return context
  })
  const changes = await refuseOwnMatters(page)
  const pages = await routedPages(scene.world)
  expect(pages.length).toBeGreaterThan(3)
  for (const { key, path } of pages) {
    // a page whose address needs something to be about brings an example with it
    expect([key, path]).toEqual([key, expect.any(String)])
    await page.goto(`/w/${await slugOf(scene)}${path}`)
    await expectLive(page)
    await page.locator('main h1').first().waitFor()
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
