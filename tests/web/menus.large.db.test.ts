import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { entryRow, openQueues } from './open-queues.ts'
import { queuedWork } from './queues-scene.ts'
import { expectLive, slugOf, test } from './scene.ts'

const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
  )

describe('an open menu', () => {
  test('whose button goes leaves the focus where that was', async ({ openApp, scene }) => {
    const { world } = scene
    const queued = await queuedWork(world, ['Old export', 'Theme switch'])
    const [first] = queued.objectives
    const { page } = await openApp()
    await openQueues(page, scene, queued.project)
    const button = entryRow(page, 'Old export').getByRole('button', { name: /^What to do with/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    const { queues } = await world.alice.call('listRunQueues', { id: queued.project.id })
    const entry = queues[0]?.entries.find(({ objectiveId }) => objectiveId === first?.id)
    await world.bob.call('removeRunQueueEntry', { id: entry?.id ?? '' })
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[data-queue]') !== null`))
      .toBe(true)
  })

  test('has the focus while its row goes, and is closed by Escape', async ({ openApp, scene }) => {
    const { world } = scene
    const queued = await queuedWork(world, ['Old export', 'Theme switch'])
    const { id } = queued.project
    const { queue } = await world.alice.call('createRunQueue', { id, name: 'Night' })
    const { page } = await openApp()
    await openQueues(page, scene, queued.project)
    const button = entryRow(page, 'Old export').getByRole('button', { name: /^What to do with/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'To Night' }).waitFor()
    await page.keyboard.press('t')
    await expect.poll(() => focused(page)).toBe('To Night')
    await world.bob.call('deleteRunQueue', { id: queue.id })
    await page.getByRole('menuitem', { name: 'To Night' }).waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(`document.activeElement.getAttribute('role')`))
      .toBe('menu')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await focused(page)).toMatch(/^What to do with/)
  })

  test('takes the space bar for a row that leads elsewhere', async ({ openApp, scene }) => {
    const { page } = await openApp()
    await page.goto(`/w/${await slugOf(scene)}/projects`)
    await expectLive(page)
    await page.getByRole('button', { name: /^Workspace / }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toBe('Your account')
    await page.keyboard.press('Space')
    await page.waitForURL('**/account')
  })

  test('that becomes longer while it is open stays in the window', async ({ openApp, scene }) => {
    for (let count = 0; count < 12; count += 1) await scene.world.projectWith()
    const { page } = await openApp()
    await page.setViewportSize({ width: 720, height: 320 })
    const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
    await page.route(/\/api\/projects(\?|$)/, async (route) => {
      await mayAnswer
      return route.fallback()
    })
    await page.goto(`/w/${await slugOf(scene)}/`)
    await expectLive(page)
    await page.getByRole('button', { name: 'Project: all' }).click()
    const menu = page.getByRole('menu', { name: 'Project: all' })
    await menu.waitFor()
    resolve()
    await expect.poll(() => menu.getByRole('menuitem').count()).toBeGreaterThan(12)
    await expect
      .poll(async () => {
        const box = await menu.boundingBox()
        return box !== null && box.y + box.height <= 320
      })
      .toBe(true)
  })
})

test('what is said over an open dialog is said in it, in a place that was there before', async ({
  openApp,
  scene,
}) => {
  const { page } = await openApp()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/w/${await slugOf(scene)}/runners`)
  await expectLive(page)
  await page.getByRole('button', { name: 'Add a runner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a runner' })
  const region = dialog.locator('[aria-live="polite"]')
  const handle = await region.elementHandle()
  await dialog
    .getByRole('button', { name: /^Copy / })
    .first()
    .click()
  await region.getByText('Copied').waitFor({ state: 'attached' })
  expect(await handle?.textContent()).toBe('Copied')
})
