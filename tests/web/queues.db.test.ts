import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { entryRow, entryTitles, openQueues } from './open-queues.ts'
import { attachNext, queuedWork, runFirst } from './queues-scene.ts'
import { test } from './scene.ts'

describe('a queue of which an entry runs', () => {
  const before = ['Old export', 'Theme switch', 'Write the docs', 'Tell them']
  const after = ['Old export', 'Tell them', 'Theme switch', 'Write the docs']

  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    'dragging by the grip': async (page) => {
      const grip = entryRow(page, 'Tell them').locator('[data-grip]')
      // dragging is loaded once a mouse moves
      await grip.hover()
      await page.locator('[data-sorted][draggable="true"]').first().waitFor()
      await grip.dragTo(entryRow(page, 'Theme switch'), { targetPosition: { x: 50, y: 4 } })
    },
    'a key': async (page) => {
      await entryRow(page, 'Tell them').getByRole('link').focus()
      await page.keyboard.press('Alt+ArrowUp')
      await page.keyboard.press('Alt+ArrowUp')
      // there is nothing before it that does not run
      await page.keyboard.press('Alt+ArrowUp')
    },
    'its menu': async (page) => {
      const row = entryRow(page, 'Tell them')
      await row.getByRole('button', { name: /^What to do with / }).click()
      await page.getByRole('menuitem', { name: 'Move to the front' }).click()
    },
  }

  test.for(Object.entries(ways))(
    'is put in order by %s, and what runs stays where it is',
    async ([, move], { openApp, scene }) => {
      const { world } = scene
      const queued = await queuedWork(world, before)
      await runFirst(world, queued)
      const { page, misdeeds } = await openApp()
      await openQueues(page, scene, queued.project)
      await entryRow(page, 'Old export').getByText('running').waitFor()
      expect(await entryTitles(page)).toEqual(before)
      expect(await entryRow(page, 'Old export').getByRole('button').count()).toBe(0)
      await move(page)
      await expect.poll(() => entryTitles(page)).toEqual(after)
      const kept = async () => {
        const { queues } = await world.alice.call('listRunQueues', { id: queued.project.id })
        return queues[0]?.entries.map(({ title }) => title)
      }
      await expect.poll(kept).toEqual(after)
      await page.reload()
      await entryRow(page, 'Old export').waitFor()
      expect(await entryTitles(page)).toEqual(after)
      expect(misdeeds).toEqual([])
    },
  )
})

test('a queue is started, held up, tried again, paused and emptied, and says what it is at', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const queued = await queuedWork(world, ['Old export', 'Theme switch', 'Write the docs'])
  const { runner, project } = queued
  const { page, misdeeds } = await openApp()
  await page.goto(`/w/here/p/${project.slug}`)
  const tabs = page.getByRole('navigation', { name: 'Pages of the project' })
  await tabs.getByRole('link', { name: 'Queues' }).click()
  await page.getByRole('heading', { name: 'Default' }).waitFor()
  expect(await tabs.locator('[aria-current="page"]').innerText()).toBe('Queues')
  const first = entryRow(page, 'Old export')
  await first.getByText('a start launches it').waitFor()
  await entryRow(page, 'Theme switch').getByText('Others stand before it.').waitFor()

  await page.getByRole('button', { name: 'Start' }).click()
  await first.getByText('launching').waitFor()
  await runner.failed(await runner.take())
  await first.getByText('Its run failed: try it again. A person ends it').waitFor()
  await page.getByText('A run of it failed. So it was paused').waitFor()
  expect(
    await entryRow(page, 'Theme switch').getByRole('button', { name: 'Try again' }).count(),
  ).toBe(0)

  await first.getByRole('button', { name: 'Try again' }).click()
  await first.getByText('launching').waitFor()
  const { agent } = await attachNext(runner)
  await first.getByText('running').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('You have paused it').waitFor()
  await agent.deliver()
  await first.waitFor({ state: 'detached' })
  await entryRow(page, 'Theme switch').getByText('once its queue goes on').waitFor()

  await entryRow(page, 'Write the docs').getByRole('link').focus()
  await page.keyboard.press('Delete')
  await entryRow(page, 'Write the docs').waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await entryRow(page, 'Theme switch').getByText('launching').waitFor()
  await (await attachNext(runner)).agent.deliver()
  await page.getByText('Nothing is queued.').waitFor()
  expect(misdeeds).toEqual([])
})
