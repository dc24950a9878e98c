import { openWorld } from '@svc/domain/testing/open-world'
import { othersHaveEnded } from '@svc/domain/testing/others-have-ended'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openPages, signedInWindow } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { openWall, wallLines, wallNumbers, wallRows } from './open-wall.ts'
import { otherVersion } from './other-version.ts'
import { expectLive, test, watch } from './scene.ts'
import { openService } from './service-to-kill.ts'

/** How often the page is loaded from now on. */
function loadsOf(page: Page): () => number {
  let loads = 0
  page.on('load', () => (loads += 1))
  return () => loads
}

test('a wall outlives its service: it says since when it hears nothing, and shows what came meanwhile', async ({
  windows,
  database,
}) => {
  await using world = await openWorld(database.connectionString)
  const service = await openService(database.connectionString)
  let process = await service.start()
  const { userId } = await world.alice.actor()
  const browsing = { userId, baseUrl: service.url }
  const page = await windows((browser) => signedInWindow(browser, world, browsing))
  const { project, mission } = await world.missionWith(['Theme switch'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  await openWall(page, project)
  const loads = loadsOf(page)
  const { displayId } = mission.objectives[0]
  await expect.poll(() => wallLines(page)).toEqual([`●running ${displayId} Theme switch`])

  await process.killNow()
  await page.getByText(/^Not connected since \d\d:\d\d, for 0 min\./).waitFor()
  expect(await wallLines(page)).toEqual([`●running ${displayId} Theme switch`])
  await agent.ask({ question: 'Does anybody hear me?' })
  process = await service.start()
  await expect.poll(() => wallLines(page)).toEqual([`?asks ${displayId} Does anybody hear me?`])
  await expectLive(page)
  expect(await page.getByText('Not connected').count()).toBe(0)
  expect(loads()).toBe(0)
})

test('a wall that is opened while no service answers goes on by itself', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([])
  const { page } = await openApp()
  let isAway = true
  await page.route('**/api/**', (route) => (isAway ? route.abort() : route.fallback()))
  await page.goto(`/w/here/wall?p=${project.slug}`)
  await page.getByText('The service is not reached.').waitFor()
  isAway = false
  await page.getByText('Nothing needs anybody.').waitFor()
})

describe('a wall of another version than its service', () => {
  test('loads itself anew once, also where the same page comes again', async ({
    database,
    browser,
  }) => {
    const older = await otherVersion('0.1.7')
    const newer = await builtWebApp()
    let folder = older
    await using scene = await openPages(database.connectionString, {
      webApp: () => ({ state: 'built', folder }),
    })
    const { project, mission } = await scene.world.missionWith(['Theme switch'])
    await using context = await scene.window(browser, true)
    const page = await context.newPage()
    const misdeeds = await watch(page, scene)
    const loads = loadsOf(page)
    await openWall(page, project)
    await expect.poll(loads).toBe(2)
    await page.getByText('Nothing needs anybody.').waitFor()
    // the feed begins anew, and tells the same
    await page.context().setOffline(true)
    await page.getByText('Not connected since').waitFor()
    await page.context().setOffline(false)
    await expectLive(page)
    await scene.world.alice.launch(mission.objectives[0])
    await wallRows(page).getByText('Theme switch').waitFor()
    expect(loads()).toBe(2)
    expect(await scriptOf(page)).toContain('of-0.1.7-')

    // a screen that was opened before the service became another
    await using later = await scene.window(browser, true)
    const screen = await later.newPage()
    const loadsOfScreen = loadsOf(screen)
    const { promise: isReplaced, resolve: replace } = Promise.withResolvers<void>()
    await screen.route('**/api/feed', async (route) => {
      await isReplaced
      await route.continue()
    })
    await screen.goto(`/w/here/wall?p=${project.slug}`)
    await wallRows(screen).getByText('Theme switch').waitFor()
    expect(await scriptOf(screen)).toContain('of-0.1.7-')
    folder = newer
    replace()
    await expect.poll(loadsOfScreen).toBe(2)
    await expectLive(screen)
    expect(await scriptOf(screen)).not.toContain('of-0.1.7-')
    await wallRows(screen).getByText('Theme switch').waitFor()
    expect(loadsOfScreen()).toBe(2)
    expect(misdeeds).toEqual([])
  })
})

const scriptOf = (page: Page) => page.locator('head script[src]').getAttribute('src')

test('a wall shows whole lines, as many as have room, and says how many have none', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project } = await world.alice.call('createProject', { name: 'Long', slug: 'long' })
  for (let number = 0; number < 30; number += 1) {
    const { mission } = await world.missionWith([`Objective ${number}`], { project })
    await world.alice.launch(mission.objectives[0])
  }
  const { page, misdeeds } = await openApp()
  await openWall(page, project)
  const sizes = [
    [1920, 1080],
    [3840, 2160],
    [1080, 1920],
    [360, 740],
    [320, 480],
  ] as const
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await expect
      .poll(async () => {
        const rows = wallRows(page)
        const [last, count] = [rows.last(), await rows.count()]
        const more = /^and (\d+) more$/.exec((await last.textContent()) ?? '')
        const box = await last.boundingBox()
        const isWhole = box !== null && box.y + box.height <= height
        return [isWhole, count - (more ? 1 : 0) + Number(more?.[1] ?? 0)]
      })
      .toEqual([true, 30])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await wallRows(page).count()).toBeGreaterThanOrEqual(3)
  }
  expect(misdeeds).toEqual([])
})

test('a wall is of several projects, or of all, and says of one that is not there', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const [one, other, third] = [
    await world.missionWith(['First']),
    await world.missionWith(['Second']),
    await world.missionWith(['Third']),
  ]
  for (const { mission } of [one, other, third]) await world.alice.launch(mission.objectives[0])
  const { page } = await openApp()
  await openWall(page, one.project, other.project)
  await page.getByRole('heading', { name: `${one.project.slug}, ${other.project.slug}` }).waitFor()
  await expect.poll(() => wallRows(page).count()).toBe(2)
  expect(await wallNumbers(page)).toContain('2 queued')
  await page.goto('/w/here/wall')
  for (const title of ['First', 'Second', 'Third']) await wallRows(page).getByText(title).waitFor()
  await page.goto(`/w/here/wall?p=${one.project.slug},not-there`)
  await page.getByText('This is not here, or not yours.').waitFor()
})

test('a wall asks for nothing while nothing changes, and keeps the screen awake', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([])
  const { page } = await openApp()
  await page.context().grantPermissions(['screen-wake-lock'])
  await page.addInitScript(`(() => {
    const given = navigator.wakeLock.request.bind(navigator.wakeLock)
    window.wakeLocks = []
    navigator.wakeLock.request = async (kind) => {
      const lock = await given(kind)
      window.wakeLocks.push(lock)
      return lock
    }
  })()`)
  await othersHaveEnded(scene.world)
  await page.clock.install()
  await openWall(page, project)
  await page.getByText('Nothing needs anybody.').waitFor()
  await page.clock.runFor(3_000)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  // less than what a feed may be silent for
  await page.clock.runFor(25_000)
  expect(requests).toEqual([])
  const released = () => page.evaluate('wakeLocks.map(({ released }) => released)')
  expect(await released()).toEqual([false])
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await expect.poll(released).toEqual([true])
})

test('whoever is not signed in any more is told on the wall, without a dialog over it', async ({
  openApp,
  scene,
}) => {
  const { project, mission } = await scene.world.missionWith(['Theme switch'])
  await scene.world.alice.launch(mission.objectives[0])
  const { page } = await openApp()
  await openWall(page, project)
  await wallRows(page).getByText('Theme switch').waitFor()
  const { origin } = new URL(page.url())
  await page.request.delete('/api/me/sessions', { headers: { origin } })
  await page.getByText('Signed out since').waitFor()
  await wallRows(page).getByText('Theme switch').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  const link = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')
  expect(new URLSearchParams(link?.split('?')[1]).get('next')).toBe(
    `/w/here/wall?p=${project.slug}`,
  )
})

test('what a wall has read goes from the screen when the membership of whoever opened it has ended', async ({
  windowOf,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith(['Not for everybody'])
  await world.alice.launch(mission.objectives[0])
  const leaving = await world.person('viewer')
  const { page } = await windowOf(leaving)
  await openWall(page, project)
  await wallRows(page).getByText('Not for everybody').waitFor()
  await world.alice.call('removeMember', { id: leaving.userId })
  await page.getByText('No member here any more since').waitFor()
  await wallRows(page).first().waitFor({ state: 'detached' })
  expect(await page.getByRole('list', { name: 'How much there is' }).count()).toBe(0)
})

test('a wall has one way out, for the Tab key and for who moves the pointer', async ({
  openApp,
  scene,
}) => {
  const { project } = await scene.world.missionWith([])
  const { page } = await openApp()
  await openWall(page, project)
  const leave = page.getByRole('link', { name: 'Leave the wall' })
  const isSeen = () => leave.evaluate((link) => link.getBoundingClientRect().top >= 0)
  expect(await isSeen()).toBe(false)
  await page.mouse.move(200, 200)
  await expect.poll(isSeen).toBe(true)
  await expect.poll(isSeen).toBe(false)
  await page.keyboard.press('Tab')
  await expect.poll(isSeen).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByRole('list', { name: 'How much there is' }).waitFor()
})
