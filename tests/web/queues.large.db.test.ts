import { entryReasons } from '@svc/contracts/run-queue'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { entryRow, entryTitles, openQueues } from './open-queues.ts'
import { attachNext, queuedWork, runFirst } from './queues-scene.ts'
import { test } from './scene.ts'
import { type Page } from 'playwright-core'

const titles = ['Old export', 'Theme switch', 'Write the docs']

test('each reason why an entry is not launched is said with who ends it', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const rows = Object.entries(entryReasons)
  const queued = await queuedWork(
    world,
    rows.map(([reason]) => `Waits by ${reason}`),
  )
  const { queues } = await world.alice.call('listRunQueues', { id: queued.project.id })
  const entries = queues[0]?.entries ?? []
  for (const [index, [reason, { state }]] of rows.entries()) {
    await sql`
      update run_queue_entries
         set state = ${state}, reason = ${reason},
             held_since = case when ${state} = 'held' then app.now() end
       where id = ${entries[index]?.id}`.execute(world.domain.db)
  }
  const { page } = await openApp()
  await openQueues(page, scene, queued.project)
  const said = {
    time: 'goes on by itself',
    person: 'A person ends it',
    retry: 'by trying it again',
  }
  // behind another one, so that its turn is not next
  const after = rows.filter(([reason]) => reason !== 'turn')
  for (const [reason, { ends, state }] of after) {
    const row = entryRow(page, `Waits by ${reason}`)
    await row.getByText(said[ends]).waitFor()
    const isHeld = state === 'held'
    expect([reason, await row.getByRole('button', { name: 'Try again' }).count()]).toEqual([
      reason,
      isHeld ? 1 : 0,
    ])
  }
})

describe('what others do to a queue', () => {
  test('is shown to all, and said', async ({ openApp, scene }) => {
    const { world } = scene
    const queued = await queuedWork(world, titles)
    const [mine, theirs] = [await openApp(), await openApp()]
    for (const { page } of [mine, theirs]) await openQueues(page, scene, queued.project)
    await entryRow(theirs.page, 'Write the docs').getByRole('link').focus()
    await theirs.page.keyboard.press('Alt+ArrowUp')
    const moved = ['Old export', 'Write the docs', 'Theme switch']
    await expect.poll(() => entryTitles(mine.page)).toEqual(moved)
    const { queues } = await world.alice.call('listRunQueues', { id: queued.project.id })
    const ids = queues[0]?.entries.map(({ id }) => id) ?? []
    await world.bob.call('orderRunQueueEntries', {
      id: queued.queueId,
      orderedEntryIds: ids.toReversed(),
    })
    await mine.page
      .getByText('bob has put the queue Default in order')
      .waitFor({ state: 'attached' })
    await expect.poll(() => entryTitles(mine.page)).toEqual(moved.toReversed())
    expect([...mine.misdeeds, ...theirs.misdeeds]).toEqual([])
  })

  test('first is not overwritten: the order goes back, and says whose it is now', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const queued = await queuedWork(world, titles)
    const { queues } = await world.alice.call('listRunQueues', { id: queued.project.id })
    const ids = queues[0]?.entries.map(({ id }) => id) ?? []
    const { page } = await openApp()
    await openQueues(page, scene, queued.project)
    // what is shown stays as it is, while the feed tells of what bob does
    const { promise: mayRead, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/projects/*/run-queues', async (route) => {
      await mayRead
      await route.continue()
    })
    await world.bob.call('orderRunQueueEntries', {
      id: queued.queueId,
      orderedEntryIds: ids.toReversed(),
    })
    await page.getByText('bob has put the queue Default in order').waitFor({ state: 'attached' })
    const moved = entryRow(page, 'Theme switch')
    await moved.getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowUp')
    const notice = page.getByRole('status').getByText('bob has put the queue Default in another')
    await notice.waitFor()
    resolve()
    await expect.poll(() => entryTitles(page)).toEqual(titles.toReversed())
    await page.getByRole('button', { name: 'Move it all the same' }).click()
    const after = ['Theme switch', 'Write the docs', 'Old export']
    await expect.poll(() => entryTitles(page)).toEqual(after)
    await notice.waitFor({ state: 'detached' })
    const kept = async () => {
      const { queues: now } = await world.alice.call('listRunQueues', { id: queued.project.id })
      return now[0]?.entries.map(({ title }) => title)
    }
    await expect.poll(kept).toEqual(after)
  })

  test('besides its order does not keep an entry from being moved', async ({ openApp, scene }) => {
    const { world } = scene
    const queued = await queuedWork(world, titles)
    const { page } = await openApp()
    await page.route('**/api/feed*', (route) => route.abort())
    await page.goto(`/w/here/p/${queued.project.slug}/queues`)
    await entryRow(page, 'Write the docs').waitFor()
    await world.alice.call('startRunQueue', { id: queued.queueId })
    await entryRow(page, 'Write the docs').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowUp')
    const after = ['Old export', 'Write the docs', 'Theme switch']
    await expect.poll(() => entryTitles(page)).toEqual(after)
    await entryRow(page, 'Old export').getByText('launching').waitFor()
    expect(await page.getByText('another order').count()).toBe(0)
  })
})

test('queues are made, named, put in order and deleted, and what is in one goes to another', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const queued = await queuedWork(world, titles)
  const { page, misdeeds } = await openApp()
  await openQueues(page, scene, queued.project)
  const headings = () => page.locator('main h2').allInnerTexts()
  for (const name of ['Small', 'Slow']) {
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New queue' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  }
  const inMenu = async (queue: string, item: string) => {
    await page.getByRole('button', { name: `What to do with the queue ${queue}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await inMenu('Slow', 'Move up')
  await expect.poll(headings).toEqual(['Default', 'Slow', 'Small'])
  await inMenu('Slow', 'Rename …')
  await page.getByRole('textbox', { name: 'Name' }).fill('Night')
  await page.keyboard.press('Enter')
  await expect.poll(headings).toEqual(['Default', 'Night', 'Small'])
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page
    .getByRole('button', { name: /^What to do with .*\./ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'To Night' }).click()
  await expect
    .poll(() => entryTitles(page))
    .toEqual(['Theme switch', 'Write the docs', 'Old export'])
  await inMenu('Night', 'Delete …')
  await page.getByRole('button', { name: 'Delete the queue' }).click()
  await expect.poll(headings).toEqual(['Default', 'Small'])
  await expect
    .poll(() => entryTitles(page))
    .toEqual(['Theme switch', 'Write the docs', 'Old export'])
  // the default one is always there
  await page.getByRole('button', { name: 'What to do with the queue Default' }).click()
  await page.getByRole('menuitem', { name: 'Rename …' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete …' }).count()).toBe(0)
  expect(misdeeds).toEqual([])
})

test('an order that nobody answered is sent again, and made once', async ({ openApp, scene }) => {
  const { world } = scene
  const queued = await queuedWork(world, titles)
  const { page } = await openApp()
  await openQueues(page, scene, queued.project)
  await page.route('**/api/run-queues/*/order', async (route) => {
    await route.fetch()
    return route.abort()
  })
  await entryRow(page, 'Write the docs').getByRole('link').focus()
  await page.keyboard.press('Alt+ArrowUp')
  const again = page.getByRole('button', { name: 'Send again' })
  await again.waitFor()
  await page.unroute('**/api/run-queues/*/order')
  await again.click()
  await again.waitFor({ state: 'detached' })
  await expect
    .poll(() => entryTitles(page))
    .toEqual(['Old export', 'Write the docs', 'Theme switch'])
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

test('of two entries that are taken out at once, the one whose turn it was goes alone', async ({
  openApp,
  scene,
}) => {
  const queued = await queuedWork(scene.world, titles)
  const { page } = await openApp()
  await openQueues(page, scene, queued.project)
  const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/run-queues/entries/*', async (route) => {
    await mayAnswer
    return route.fallback()
  })
  await entryRow(page, 'Old export').getByRole('link').focus()
  await page.keyboard.press('Delete')
  await entryRow(page, 'Theme switch').getByRole('link').focus()
  await page.keyboard.press('Delete')
  resolve()
  const out = page.getByRole('list', { name: 'Messages' }).getByText('is out of the queue')
  await out.first().waitFor()
  expect(await out.allInnerTexts()).toEqual([
    `${queued.objectives[0]?.displayId} is out of the queue`,
  ])
  await expect.poll(() => entryTitles(page)).toEqual(['Theme switch', 'Write the docs'])
})

test('the keys of the page go on after somebody has deleted the queue that a dialog was about', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const queued = await queuedWork(world, titles)
  const { queue } = await world.alice.call('createRunQueue', {
    id: queued.project.id,
    name: 'Night',
  })
  const { page } = await openApp()
  await openQueues(page, scene, queued.project)
  await page.getByRole('button', { name: 'What to do with the queue Night' }).click()
  await page.getByRole('menuitem', { name: 'Rename …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename Night' })
  await dialog.waitFor()
  await world.bob.call('deleteRunQueue', { id: queue.id })
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New queue' }).waitFor()
})

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
