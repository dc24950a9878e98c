import type { Page, Response } from 'playwright-core'
import { describe, expect } from 'vitest'
import { fillColumn } from './board-scene.ts'
import { cardIn, columnOf, focusedCard, openBoard } from './open-board.ts'
import { readsOnce } from './reads-once.ts'
import { slugOf, test } from './scene.ts'

describe('a long column', () => {
  /** Bytes, reads of the board, cards and elements of a first look at a column of so many. */
  async function look(page: Page, open: () => Promise<void>) {
    const reads: Response[] = []
    const hear = (response: Response) => {
      if (/\/api\/projects\/[^/]+\/board/.test(response.url())) reads.push(response)
    }
    page.on('response', hear)
    await open()
    await page.getByText(/^30 of /).waitFor()
    page.off('response', hear)
    const sizes = await Promise.all(reads.map((response) => response.request().sizes()))
    return {
      reads: reads.length,
      bytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
      cards: await page.locator('[data-card]').count(),
      elements: await page.evaluate<number>(`document.querySelectorAll('*').length`),
    }
  }

  test('of 5,000 missions costs what one of 50 does, and all of it can be reached', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { page } = await openApp()
    const looks = []
    for (const count of [50, 5_000]) {
      const { project, mission } = await world.missionWith(['a'], { title: 'First of all' })
      await fillColumn(world, mission, count - 1)
      await readsOnce(page, scene)
      looks.push(await look(page, () => openBoard(page, scene, project)))
    }
    const [few, many] = looks
    expect(many).toMatchObject({ reads: 1, cards: few?.cards, elements: few?.elements })
    expect(many?.cards).toBeLessThanOrEqual(120)
    expect(many?.bytes).toBeLessThan((few?.bytes ?? 0) * 1.1)

    const backlog = columnOf(page, 'Backlog')
    await backlog.getByRole('button', { name: 'More' }).click()
    await page.getByText(/^100 of 5.000/).waitFor()
    await backlog.getByRole('button', { name: 'More' }).click()
    await page.getByText(/^200 of 5.000/).waitFor()
    await page.keyboard.press('j')
    for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('ArrowDown')
    const place = await page.evaluate<string>(
      `document.activeElement.closest('li').getAttribute('aria-posinset')`,
    )
    expect(place).toBe('61')
    expect(await page.locator('[data-card]').count()).toBeLessThanOrEqual(120)
  })
})

describe('what others do', () => {
  test('is shown to all, and moves nothing under a pointer', async ({ openApp, scene }) => {
    const { world } = scene
    const { project } = await world.missionWith([], { title: 'Dark icons' })
    const { mission } = await world.missionWith([], { project, title: 'Dark menu' })
    const [mine, theirs] = [await openApp(), await openApp()]
    for (const { page } of [mine, theirs]) await openBoard(page, scene, project)
    await cardIn(mine.page, 'Backlog', 'Dark icons').hover()
    const place = await cardIn(mine.page, 'Backlog', 'Dark icons').boundingBox()
    await cardIn(theirs.page, 'Backlog', 'Dark menu').getByRole('link').focus()
    await theirs.page.keyboard.press('Shift+ArrowRight')
    await cardIn(mine.page, 'In progress', 'Dark menu').waitFor()
    await columnOf(mine.page, 'Backlog').getByText('Not here any more').waitFor()
    await world.missionWith([], { project, title: 'New icons' })
    await columnOf(mine.page, 'Backlog').getByRole('button', { name: '1 new' }).waitFor()
    expect(await cardIn(mine.page, 'Backlog', 'Dark icons').boundingBox()).toEqual(place)
    const said = mine.page.getByText(`Moved by others: ${mission.displayId} to In progress`)
    await said.waitFor({ state: 'attached' })
    await mine.page.mouse.move(0, 0)
    await cardIn(mine.page, 'Backlog', 'New icons').waitFor()
    await mine.page.getByText('Not here any more').waitFor({ state: 'detached' })
    expect(await focusedCard(theirs.page)).toBe('Dark menu')
    // nothing holds the column that the focus has left with its card
    await cardIn(theirs.page, 'Backlog', 'New icons').waitFor()
    expect([...mine.misdeeds, ...theirs.misdeeds]).toEqual([])
  })

  test('first is not overwritten: the card goes where it is, and says who moved it there', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
    const { page } = await openApp()
    await page.route('**/api/feed*', (route) => route.abort())
    await page.goto(`/w/${await slugOf(scene)}/p/${project.slug}`)
    const card = cardIn(page, 'Backlog', 'Dark icons')
    await card.waitFor()
    await world.bob.call('moveMission', { id: mission.id, statusId: 'blocked' })
    await card.getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText(`bob has moved ${mission.displayId} to Blocked`).first().waitFor()
    await cardIn(page, 'Blocked', 'Dark icons').waitFor()
    expect((await world.alice.mission(mission)).phase).toBe('blocked')
    await page.getByRole('button', { name: 'Move it to In progress' }).click()
    await expect.poll(async () => (await world.alice.mission(mission)).phase).toBe('execute')
    await cardIn(page, 'In progress', 'Dark icons').waitFor()
  })

  test('to something else of a mission does not keep it from being moved', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
    const { page } = await openApp()
    await page.route('**/api/feed*', (route) => route.abort())
    await page.goto(`/w/${await slugOf(scene)}/p/${project.slug}`)
    await cardIn(page, 'Backlog', 'Dark icons').waitFor()
    await world.bob.call('updateMission', { id: mission.id, priority: 'high' })
    await cardIn(page, 'Backlog', 'Dark icons').getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await cardIn(page, 'In progress', 'Dark icons').getByText('high').waitFor()
    expect((await world.alice.mission(mission)).phase).toBe('execute')
  })
})

describe('a filter', () => {
  test('of more words than the service takes shows what has those that it takes, and so does the search of every page', async ({
    openApp,
    scene,
  }) => {
    const title = 'i1 j2 k3 l4 m5 n6 o7 p8'
    const { project, mission } = await scene.world.missionWith([], { title })
    await scene.world.missionWith([], { project, title: 'Another one' })
    const { page } = await openApp()
    await openBoard(page, scene, project)
    await page.getByRole('searchbox').fill(`${title} and more than that`)
    await cardIn(page, 'Backlog', 'Another one').waitFor({ state: 'detached' })
    await cardIn(page, 'Backlog', title).waitFor()
    await page.reload()
    await cardIn(page, 'Backlog', title).waitFor()
    await page.keyboard.press('/')
    const find = page.getByRole('dialog', { name: 'Find a mission' })
    await find.getByRole('searchbox').fill(`${title} and more than that`)
    await find.getByRole('link', { name: mission.displayId }).waitFor()
  })

  test('is what its field says, also where a link or the way back leads to another one', async ({
    openApp,
    scene,
  }) => {
    const { project } = await scene.world.missionWith([], { title: 'Dark icons' })
    await scene.world.missionWith([], { project, title: 'Bright menu' })
    const { page } = await openApp()
    await openBoard(page, scene, project)
    const field = page.getByRole('searchbox')
    await field.fill('icons')
    await page.waitForURL(/\?q=icons$/)
    await cardIn(page, 'Backlog', 'Bright menu').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Board', exact: true }).click()
    await cardIn(page, 'Backlog', 'Bright menu').waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    await page.goBack()
    await cardIn(page, 'Backlog', 'Bright menu').waitFor({ state: 'detached' })
    await expect.poll(() => field.inputValue()).toBe('icons')
  })

  test('takes no dialog away with a card that it lets pass no more, until that is deleted', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
    const { page } = await openApp()
    await openBoard(page, scene, project, '?priority=normal')
    const card = cardIn(page, 'Backlog', 'Dark icons')
    await card.getByRole('link').focus()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: /^Title and priority/ })
    await dialog.waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(', half')
    await world.bob.call('updateMission', { id: mission.id, priority: 'high' })
    await card.waitFor({ state: 'detached' })
    await page.keyboard.type(' of them')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await world.alice.mission(mission)).toMatchObject({
      title: 'Dark icons, half of them',
      priority: 'high',
    })

    await world.bob.call('updateMission', { id: mission.id, priority: 'normal' })
    await card.getByRole('link').focus()
    await page.keyboard.press('m')
    const places = page.getByRole('dialog', { name: /^Move .* to$/ })
    await places.getByRole('button', { name: 'In progress' }).waitFor()
    await world.bob.call('updateMission', { id: mission.id, priority: 'high' })
    await card.waitFor({ state: 'detached' })
    await places.getByRole('button', { name: 'In progress' }).click()
    await expect.poll(async () => (await world.alice.mission(mission)).phase).toBe('execute')

    await page.getByRole('button', { name: 'Show all' }).click()
    await cardIn(page, 'In progress', 'Dark icons').getByRole('link').focus()
    await page.keyboard.press('e')
    await dialog.waitFor()
    await world.bob.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    await dialog.waitFor({ state: 'detached' })
  })

  test('that cannot be read says so beside what was shown before, and can be changed', async ({
    openApp,
    scene,
  }) => {
    const { project } = await scene.world.missionWith([], { title: 'Dark icons' })
    const { page } = await openApp()
    await openBoard(page, scene, project)
    const error = { code: 'internal', message: 'Something went wrong here.', requestId: 'r' }
    await page.route('**/board?*query=*', (route) =>
      route.fulfill({ status: 500, json: { error } }),
    )
    const field = page.getByRole('searchbox')
    await field.fill('icons')
    await page.getByText('Something went wrong here.').waitFor()
    await cardIn(page, 'Backlog', 'Dark icons').waitFor()
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0)
    await page.reload()
    await page.getByText('Something went wrong here.').waitFor()
    expect(await field.inputValue()).toBe('icons')
    await page.getByRole('button', { name: 'Show all' }).click()
    await cardIn(page, 'Backlog', 'Dark icons').waitFor()
    expect(await page.getByText('Something went wrong here.').count()).toBe(0)
  })
})

test('a move that nobody answered is sent again, and made once', async ({ openApp, scene }) => {
  const { world } = scene
  const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
  const { page } = await openApp()
  await openBoard(page, scene, project)
  await page.route('**/api/missions/*/status', async (route) => {
    await route.fetch()
    return route.abort()
  })
  await cardIn(page, 'Backlog', 'Dark icons').getByRole('link').focus()
  await page.keyboard.press('Shift+ArrowRight')
  const again = page.getByRole('button', { name: 'Send again' })
  await again.waitFor()
  const said = page.locator('[aria-live="assertive"]')
  expect(await said.innerText()).toContain('did not say whether')
  await page.unroute('**/api/missions/*/status')
  await again.click()
  await again.waitFor({ state: 'detached' })
  await cardIn(page, 'In progress', 'Dark icons').waitFor()
  const events = await world.alice.eventsOf(mission)
  expect(events.filter(({ type }) => type === 'status_change')).toHaveLength(1)
})

describe('with the keyboard alone', () => {
  test('a mission is found, named, moved, deleted and restored', async ({ openApp, scene }) => {
    const { world } = scene
    const { project } = await world.missionWith([], { title: 'Dark icons' })
    await world.missionWith([], { project, title: 'Dark menu' })
    const { page } = await openApp()
    await openBoard(page, scene, project)
    await page.keyboard.press('j')
    await expect.poll(() => focusedCard(page)).toBe('Dark menu')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedCard(page)).toBe('Dark icons')

    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: /^Title and priority/ }).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Bright icons')
    await page.keyboard.press('Enter')
    await cardIn(page, 'Backlog', 'Bright icons').waitFor()
    await expect.poll(() => focusedCard(page)).toBe('Bright icons')

    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'In progress' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await cardIn(page, 'In review', 'Bright icons').waitFor()
    await expect.poll(() => focusedCard(page)).toBe('Bright icons')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => focusedCard(page)).toBe('Dark menu')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focusedCard(page)).toBe('Bright icons')

    await page.keyboard.press('Delete')
    await page.getByText('It can be restored for').waitFor()
    // past the buttons that close and that keep
    for (const _ of [1, 2, 3]) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await cardIn(page, 'In review', 'Bright icons').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More of this board' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Deleted missions …' }).waitFor()
    await page.keyboard.press('d')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Restore / }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await cardIn(page, 'In review', 'Bright icons').waitFor()

    await page.keyboard.press('f')
    await page.keyboard.type('menu')
    await cardIn(page, 'In review', 'Bright icons').waitFor({ state: 'detached' })
    await cardIn(page, 'Backlog', 'Dark menu').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=menu')
  })

  test('and single keys turned off, arrows still go from card to card', async ({
    openApp,
    scene,
  }) => {
    const { world } = scene
    const { project } = await world.missionWith([], { title: 'Dark icons' })
    await world.missionWith([], { project, title: 'Dark menu' })
    const { page } = await openApp()
    await openBoard(page, scene, project)
    await page.keyboard.press('?')
    await page.getByRole('button', { name: 'Turn keys off' }).click()
    await page.keyboard.press('Escape')
    await cardIn(page, 'Backlog', 'Dark menu').getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedCard(page)).toBe('Dark icons')
    await page.keyboard.press('e')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

test('columns are made, named, put in order and deleted, and missions of one go to another', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
  const { page, misdeeds } = await openApp()
  await openBoard(page, scene, project)
  await page.getByRole('button', { name: 'More of this board' }).click()
  await page.getByRole('menuitem', { name: 'Columns …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByLabel('New column').fill('Ideas')
  await dialog.getByLabel('What it means for a mission').selectOption('draft')
  await dialog.getByRole('button', { name: 'Add the column' }).click()
  await dialog.getByRole('button', { name: 'Rename Ideas' }).click()
  await dialog.getByLabel('Name of Ideas').fill('Thoughts')
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
  await dialog.getByRole('button', { name: 'Rename Thoughts' }).waitFor()
  await dialog.getByRole('button', { name: 'Delete Backlog' }).click()
  const labels = async () => {
    const { statuses } = await world.alice.call('listProjectStatuses', { id: project.id })
    return statuses.map(({ label }) => label)
  }
  await expect.poll(labels).toContain('Thoughts')
  await dialog.getByLabel('Missions of Backlog go to').selectOption('Thoughts')
  await dialog.getByRole('button', { name: 'Delete the column' }).click()
  await dialog.getByRole('button', { name: 'Delete Backlog' }).waitFor({ state: 'detached' })
  const up = dialog.getByRole('button', { name: 'Move up: Thoughts' })
  for (const place of [4, 3]) {
    await up.click()
    await expect.poll(async () => (await labels()).indexOf('Thoughts')).toBe(place)
  }
  await page.keyboard.press('Escape')
  await cardIn(page, 'Thoughts', 'Dark icons').waitFor()
  expect((await world.alice.mission(mission)).status.label).toBe('Thoughts')
  expect(misdeeds).toEqual([])
})

test('a phone shows one column, and moves a card by its menu', async ({ openApp, scene }) => {
  const { world } = scene
  const { project, mission } = await world.missionWith([], { title: 'Dark icons' })
  const { page } = await openApp()
  await page.setViewportSize({ width: 320, height: 640 })
  await openBoard(page, scene, project)
  const card = page.locator('[data-card]').filter({ hasText: 'Dark icons' })
  await card.getByRole('button', { name: /^What to do with / }).click()
  await page.getByRole('menuitem', { name: 'Move to …' }).click()
  await page
    .getByRole('dialog', { name: /^Move .* to$/ })
    .getByRole('button', { name: 'Blocked' })
    .click()
  await page.getByRole('tab', { name: 'Blocked 1', selected: true }).waitFor()
  await card.waitFor()
  await expect.poll(async () => (await world.alice.mission(mission)).phase).toBe('blocked')
  await page.getByRole('tab', { name: 'Backlog 0' }).click()
  await page.getByText('No missions.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('whoever may only look sees everything, and no control', async ({ windowOf, scene }) => {
  const { world } = scene
  const { project } = await world.missionWith(['a'], { title: 'Dark icons' })
  const { page } = await windowOf(world.vera)
  await openBoard(page, scene, project)
  const card = cardIn(page, 'Backlog', 'Dark icons')
  await card.getByRole('link').focus()
  for (const key of ['Shift+ArrowRight', 'm', 'l', 'e', 'c', 'Delete']) {
    await page.keyboard.press(key)
  }
  await card.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual([''])
  await page.getByRole('button', { name: 'More of this board' }).click()
  await page.getByRole('menuitem').first().waitFor()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Deleted missions …'])
})

test('what somebody hostile has written is text in every field, and asks nothing of anybody', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const evil =
    '<img src=https://evil.example/x onerror=alert(1)> **b** [l](javascript:alert(1)) \u202Etxet'
  const { project } = await world.alice.call('createProject', { name: evil, slug: 'evil' })
  await world.alice.call('createProjectStatus', { id: project.id, label: evil, type: 'draft' })
  const { mission } = await world.missionWith(['ask'], { project, title: evil })
  const { agent } = await world.attachedRun(
    mission.objectives[0],
    await world.connectedRunner(project),
  )
  await agent.ask({ question: evil })
  const gone = (await world.missionWith([], { project, title: evil })).mission
  await world.alice.call('deleteMissions', { missionIds: [gone.id], confirm: true })
  const { page, misdeeds } = await openApp()
  page.on('dialog', (dialog) => misdeeds.push(dialog.message()))
  await openBoard(page, scene, project)
  await page.locator('[data-card] p').getByText('⟨U+202E⟩').first().waitFor()
  for (const item of ['Columns …', 'Deleted missions …']) {
    await page.getByRole('button', { name: 'More of this board' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').getByText('⟨U+202E⟩').first().waitFor()
    await page.keyboard.press('Escape')
  }
  await page.locator('[data-card] a').first().focus()
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByText('⟨U+202E⟩').first().waitFor()
  expect(await page.locator('main img, main [onerror], a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toContain('\u202E')
  expect(misdeeds).toEqual([])
})

test('Enter in the title of a new mission sends no instruction that is not ended', async ({
  openApp,
  scene,
}) => {
  const { world } = scene
  const { project } = await world.missionWith([])
  const { page } = await openApp()
  await openBoard(page, scene, project)
  const titled = async () => {
    const { missions } = await world.alice.call('listMissions', { projectId: project.id })
    return missions.filter(({ title }) => title === 'Dark icons')
  }
  await page.getByRole('button', { name: 'New mission' }).click()
  const dialog = page.getByRole('dialog', { name: 'New mission' })
  const instruction = dialog.getByLabel('What is to be done first')
  await dialog.getByLabel('Title').fill('Dark icons')
  await instruction.fill('Draw them, and')
  await dialog.getByLabel('Title').press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  expect(await titled()).toEqual([])
  await instruction.fill('')
  await dialog.getByLabel('Title').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await titled()).toHaveLength(1)
})
