import { createTestDatabase } from '@svc/testing/database'
import { type Page, type Response } from 'playwright-core'
import { describe, expect } from 'vitest'
import { fill } from '../flat/fill.ts'
import { openPages } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { bytesOf } from './bytes-of.ts'
import { readsOnce } from './reads-once.ts'
import { expectLive, slugOf, test } from './scene.ts'

describe('the page of the search', () => {
  test('goes on in pages, and keeps what is searched for in the address', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const project = await scene.world.projectWith()
    for (let count = 0; count < 35; count += 1) {
      await scene.world.missionWith([], { project, title: `Pageable ${count}` })
    }
    const { page } = await openApp()
    await goTo(page, '/search')
    await page.getByRole('searchbox').fill('pageable')
    await page.waitForURL(/\?q=pageable$/)
    await page.getByText('30 missions, and more').first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('35 missions', { exact: true }).first().waitFor()
    expect(page.url()).toMatch(/\?q=pageable$/)
    const address = page.url()
    await page.getByRole('link', { name: /Pageable 34/ }).click()
    await page.getByRole('heading', { name: 'Pageable 34' }).waitFor()
    await page.goBack()
    await page.waitForURL(address)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('pageable')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  test('takes more words than the service does, and leaves Ctrl-F to the browser', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith([], { title: 'a1 b2 c3 d4 e5 f6 g7 h8' })
    const { page } = await openApp()
    await goTo(page, '/search')
    await page.getByRole('searchbox').fill('a1 b2 c3 d4 e5 f6 g7 h8 nothing has this one')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    const taken = await page.evaluate<boolean>(
      `!document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, cancelable: true }))`,
    )
    expect(taken).toBe(false)
  })

  test('restores what was deleted, and shows a list before it deletes, where a step leads there', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { mission } = await scene.world.missionWith([], { title: 'Deleted by mistake' })
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    const { page } = await openApp()
    await goTo(page, `/search?q=mistake&deleted=1&restore=${mission.displayId}`)
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Restore')
    await page.keyboard.press('Enter')
    await page.getByText('None that could be restored.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=mistake')

    await goTo(page, `/search?q=mistake&do=delete&missions=${mission.id}`)
    const dialog = page.getByRole('dialog', { name: 'Delete the mission' })
    await dialog.getByText('Deleted by mistake').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).search).toBe('?q=mistake')
    await page.getByRole('button', { name: 'Deleted missions …' }).click()
    await page.getByRole('button', { name: `Restore ${mission.displayId}` }).waitFor()
  })

  test('finds for whoever may only look what they may see, and deletes nothing', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith(['A secret word.'], { title: 'Seen by all' })
    const { page } = await windowOf(scene.world.vera)
    await goTo(page, '/search?q=secret')
    await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    await goTo(page, `/search?do=delete&missions=${mission.id}`)
    await expectLive(page)
    await page.locator('[data-found]').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('finds by title and by words of an instruction, by filters, and says where', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { project, mission } = await scene.world.missionWith(
      ['Read the settings.', 'Rotate the **keys** each night.'],
      { title: 'Security', priority: 'high' },
    )
    const { mission: titled } = await scene.world.missionWith([], { title: 'Rotate the keys' })
    const { mission: done } = await scene.world.missionWith([], {
      title: 'Rotate keys once',
      project,
    })
    await alice.call('moveMission', { id: done.id, statusId: 'complete' })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/projects')
    await page.getByRole('button', { name: 'New project' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('rotate keys')
    await page.getByRole('link', { name: 'All results, and filters' }).click()
    await page.waitForURL(/\/search\?q=rotate\+keys$/)
    const found = () =>
      page
        .locator('[data-found]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-found')))
    const ids = [done, titled, mission].map(({ displayId }) => displayId)
    await expect.poll(found).toEqual(ids)
    const row = page.getByRole('listitem').filter({ hasText: mission.displayId })
    await row.getByText('each night').waitFor()
    expect(await row.locator('mark').allInnerTexts()).toEqual(['Rotate', 'keys'])
    const [, second] = mission.objectives
    await row.getByRole('link', { name: second.displayId }).waitFor()

    await page.getByLabel('Project').selectOption(project.slug)
    await expect.poll(found).toEqual([done.displayId, mission.displayId])
    await page.getByLabel('Priority').selectOption('high')
    await expect.poll(found).toEqual([mission.displayId])
    await page.getByLabel('Phase').selectOption('review')
    await page.getByText('No mission is as you ask for.').first().waitFor()
    await page.reload()
    expect(await page.getByLabel('Phase').inputValue()).toBe('review')
    await page.getByLabel('Phase').selectOption('')
    await expect.poll(found).toEqual([mission.displayId])
    // what is written elsewhere is found as it is written
    await scene.world.missionWith(['Rotate the keys.'], {
      title: 'New',
      priority: 'high',
      project,
    })
    await expect.poll(async () => (await found()).length).toBe(2)
    await row.getByRole('link', { name: second.displayId }).click()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await page.goBack()
    await expect.poll(found).toHaveLength(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('rotate keys')
    expect(misdeeds).toEqual([])
  })

  test('is walked by keys alone, and goes straight to what is named by its id', async ({
    openApp,
    scene,
    goTo,
  }) => {
    const { mission } = await scene.world.missionWith(['Do it.'], { title: 'Walked to first' })
    await scene.world.missionWith([], { title: 'Walked to second' })
    const { page, misdeeds } = await openApp()
    await goTo(page, '/search')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
    await page.keyboard.type('walked')
    await page.waitForURL(/\?q=walked$/)
    await expect.poll(() => page.locator('[data-found]').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Walked to first' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Search' }).waitFor()
    await page.locator('[data-found]').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(` ${mission.displayId.toUpperCase()} `)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/m/${mission.displayId}`)

    // and so does the box that is over every page
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill(mission.objectives[0].displayId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${mission.objectives[0].displayId}`)
    await page.getByRole('heading', { name: 'Walked to first' }).waitFor()
    expect(misdeeds).toEqual([])
  })
})

test(
  'with 5,000 missions a search costs what it costs with 50, and so does an inbox',
  { timeout: 600_000 },
  async ({ browser }) => {
    const folder = await builtWebApp()
    const costs: Record<string, number>[] = []
    for (const missions of [50, 5_000]) {
      await using database = await createTestDatabase()
      await using scene = await openPages(database.connectionString, {
        webApp: () => ({ state: 'built', folder }),
      })
      const { world } = scene
      const { workspaceId, userId } = await world.alice.actor()
      await fill(world.domain.db, { workspaceId, userId }, missions)
      await using context = await scene.window(browser, true)
      const page = await context.newPage()
      await readsOnce(page, scene)
      const slug = await slugOf(scene)
      const numbers = [/\/api\/needs\?/, /\/api\/inbox-items\?/].map((address) =>
        page.waitForResponse(address),
      )
      const ofSearch = await costOf(page, folder, async () => {
        await page.goto(`/w/${slug}/search?q=mission+do&priority=normal`)
        await page.getByText('30 missions, and more').first().waitFor()
        await page.locator('option[value="filled"]').waitFor({ state: 'attached' })
        await Promise.all(numbers)
      })
      const needs = page.waitForResponse(/\/api\/needs\?/)
      const ofInbox = await costOf(page, folder, async () => {
        await page.goto(`/w/${slug}/inbox`)
        await page.getByText('There is nothing in your inbox.').waitFor()
        await needs
      })
      costs.push({ ...ofSearch, inboxNodes: ofInbox.nodes, inboxRequests: ofInbox.requests })
    }
    const [few, many] = costs.map((cost) => ({ ...cost, bytes: 0 }))
    expect(many).toEqual(few)
    // numbers have more digits, and words compress as they do
    expect(costs[1]?.['bytes']).toBeLessThanOrEqual((costs[0]?.['bytes'] ?? 0) * 1.1)
  },
)

/** What a page asks for until it is there, and what its document holds then. */
async function costOf(page: Page, folder: string, open: () => Promise<unknown>) {
  const responses: Response[] = []
  const note = (response: Response) => void responses.push(response)
  page.on('response', note)
  await open()
  await expectLive(page)
  page.off('response', note)
  const api = responses.filter((response) => new URL(response.url()).pathname.startsWith('/api/'))
  const sizes = await Promise.all(api.map((response) => bytesOf(response, folder)))
  return {
    nodes: await page.evaluate<number>(`document.querySelectorAll('main *').length`),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    requests: api.length,
  }
}

test.for(['/inbox', '/search'])(
  'the page %s is there after 8 requests',
  async (path, { openApp, scene, goTo }) => {
    const { page } = await openApp()
    await readsOnce(page, scene)
    const starts: { path: string; at: number }[] = []
    page.on('response', (response) => {
      const { startTime } = response.request().timing()
      starts.push({ path: new URL(response.url()).pathname, at: startTime })
    })
    await goTo(page, path)
    const marks = `performance.getEntriesByName('svc:settled').length`
    await expect.poll(() => page.evaluate(marks)).toBe(1)
    const settledAt = await page.evaluate<number>(
      `performance.timeOrigin + performance.getEntriesByName('svc:settled')[0].startTime`,
    )
    const before = starts.filter(({ at }) => at < settledAt).map((one) => one.path)
    expect(before.length).toBeGreaterThan(4)
    expect(before.slice(8)).toEqual([])
  },
)
