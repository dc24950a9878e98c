import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signInCookies } from '../pages/scene.ts'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
import { routedPages } from './routed-pages.ts'
import { expectLive, slugOf, test } from './scene.ts'

/** Presses whatever is there, one of each name, until nothing new has come of it. */
const pressButtons = `(async () => {
  for (const fold of document.querySelectorAll('main summary')) fold.click()
  const pressed = new Set()
  const next = () =>
    [...document.querySelectorAll('main button:enabled, dialog[open] button:enabled')]
      .find((button) => !pressed.has(button.textContent))
  for (let quiet = 0; quiet < 10; ) {
    const button = next()
    if (button) {
      quiet = 0
      pressed.add(button.textContent)
      button.click()
    } else quiet += 1
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
})()`

/** Whatever the page has, what is unfolded by it as well, and every key that its help names. */
async function pressAll(page: Page): Promise<void> {
  await page.evaluate(pressButtons)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const shown = page.getByRole('dialog').locator('[data-keys]')
  await shown.first().waitFor()
  const keys = await shown.evaluateAll((all) =>
    all.map((one) => one.getAttribute('data-keys') ?? ''),
  )
  await page.keyboard.press('Escape')
  expect(keys).toContain('?')
  for (const key of keys.filter((one) => !one.startsWith('g '))) {
    await page.keyboard.press(key.replace('Mod+', 'Control+').replace('↵', 'Enter'))
    await page.keyboard.press('Escape')
  }
}

/** What the page sends from now on that is no mere reading. */
function changesOf(page: Page): string[] {
  const changes: string[] = []
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) {
      changes.push(`${request.method()} ${request.url()}`)
    }
  })
  return changes
}

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
  const changes = changesOf(page)
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
