import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { entryRow, entryTitles, openQueues } from './open-queues.ts'
import { queuedWork, runFirst } from './queues-scene.ts'
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
