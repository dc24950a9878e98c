import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { openBoard } from './open-board.ts'
import { openMission } from './open-mission.ts'
import { openQueues } from './open-queues.ts'
import { test } from './scene.ts'

describe('a title that somebody else changes meanwhile', () => {
  test('is shown with what is written here, and the one that is chosen stands', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await showMission(scene.world)
    const { alice, bob } = scene.world
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, mission.displayId)
    const field = page.getByRole('textbox', { name: 'Title' })
    const conflict = page.getByRole('region', { name: 'Changed by somebody else' })
    await page.getByRole('button', { name: 'Edit the title' }).click()
    await field.fill('Theme chooser')
    await bob.call('updateMission', { id: mission.id, title: 'Theme picker' })
    await conflict.getByText('Yours: chooser').waitFor()
    await conflict.getByText('Theirs: picker').waitFor()
    await page.reload()
    await conflict.getByText('Yours: chooser').waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Edit the title' }).waitFor()
    expect((await alice.mission(mission)).title).toBe('Theme chooser')

    await page.getByRole('button', { name: 'Edit the title' }).click()
    await field.fill('Theme wheel')
    await bob.call('updateMission', { id: mission.id, title: 'Theme list' })
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('heading', { name: 'Theme list' }).waitFor()
    expect((await alice.mission(mission)).title).toBe('Theme list')
    expect(misdeeds).toEqual([])
  })

  test('goes on top of what else was changed of the mission', async ({ openApp, scene }) => {
    const { mission } = await showMission(scene.world)
    const { alice, bob } = scene.world
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await page.getByRole('button', { name: 'Edit the title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Theme chooser')
    await bob.call('updateMission', { id: mission.id, priority: 'low' })
    await page.getByRole('button', { name: 'Priority low' }).waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => alice.mission(mission))
      .toMatchObject({ title: 'Theme chooser', priority: 'low' })
  })

  test('stands where what is written here was written back to what it was', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await showMission(scene.world)
    const { alice, bob } = scene.world
    const { title } = await alice.mission(mission)
    const { page, misdeeds } = await openApp()
    await openMission(page, scene, mission.displayId)
    await page.getByRole('button', { name: 'Edit the title' }).click()
    const field = page.getByRole('textbox', { name: 'Title' })
    await field.fill(`${title}s`)
    await page.keyboard.press('Backspace')
    await bob.call('updateMission', { id: mission.id, title: 'Theme picker' })
    await expect.poll(() => field.inputValue()).toBe('Theme picker')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Theme picker' }).waitFor()
    await page.getByRole('button', { name: 'Edit the title' }).waitFor()
    expect((await alice.mission(mission)).title).toBe('Theme picker')
    expect(misdeeds).toEqual([])
  })
})

test('a value of the shared state that an agent has changed meanwhile is not written over unseen', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { alice } = scene.world
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.locator('summary').filter({ hasText: 'Shared state' }).click()
  await page.getByRole('button', { name: 'Edit theme.names' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit theme.names' })
  await dialog.getByLabel('Value').fill('["mine"]')
  const { sharedState } = await alice.call('listSharedState', { id: mission.id })
  const expectedRevision = sharedState[0]?.revision ?? 0
  const key = 'theme.names'
  await alice.call('setSharedState', { id: mission.id, key, value: ['theirs'], expectedRevision })
  const conflict = dialog.getByRole('region', { name: 'Changed by somebody else' })
  await conflict.waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.waitFor({ state: 'detached' })
  const kept = await alice.call('listSharedState', { id: mission.id })
  expect(kept.sharedState[0]?.value).toEqual(['mine'])
})

test('title and priority of a card that somebody else changes meanwhile are each shown with what is written here', async ({
  openApp,
  scene,
}) => {
  const { alice, bob } = scene.world
  const { project, mission } = await scene.world.missionWith([], { title: 'Dark icons' })
  const { id } = mission
  const { page, misdeeds } = await openApp()
  await openBoard(page, scene, project)
  const open = async () => {
    await page.getByRole('button', { name: /^What to do with / }).click()
    await page.getByRole('menuitem', { name: 'Title and priority …' }).click()
    const dialog = page.getByRole('dialog', { name: /^Title and priority/ })
    return {
      dialog,
      title: dialog.getByLabel('Title'),
      priority: dialog.getByLabel('Priority'),
      save: dialog.getByRole('button', { name: 'Save' }),
      conflict: (part: string) =>
        dialog.getByRole('region', { name: `Changed by somebody else: ${part}` }),
    }
  }
  const first = await open()
  await first.title.fill('Bright icons')
  await bob.call('updateMission', { id, title: 'Dark signs', priority: 'low' })
  await first.conflict('Title').getByText('Yours: Bright').waitFor()
  expect(await first.priority.inputValue()).toBe('low')
  expect(await first.save.isDisabled()).toBe(true)
  await page.reload()
  const again = await open()
  await again.conflict('Title').getByRole('button', { name: 'Keep mine' }).click()
  await again.save.click()
  await again.dialog.waitFor({ state: 'detached' })
  expect(await alice.mission(mission)).toMatchObject({ title: 'Bright icons', priority: 'low' })

  const { priority, conflict, save, dialog } = await open()
  await priority.selectOption('urgent')
  // theirs comes in between, at the last moment
  await beforeSaved(page, id, () => bob.call('updateMission', { id, priority: 'high' }))
  await save.click()
  await conflict('Priority').getByText('Theirs: high').waitFor()
  await conflict('Priority').getByRole('button', { name: 'Take theirs' }).click()
  expect(await priority.inputValue()).toBe('high')
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await alice.mission(mission)).toMatchObject({ title: 'Bright icons', priority: 'high' })
  expect(misdeeds).toEqual([])
})

test('a budget that somebody else sets meanwhile is not written over unseen, and other settings stay as they left them', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { alice, bob } = scene.world
  const { id } = mission
  const { page, misdeeds } = await openApp()
  await openMission(page, scene, mission.displayId)
  const dialog = await openSettings(page)
  const save = dialog.getByRole('button', { name: 'Save' })
  const conflict = dialog.getByRole('region', {
    name: 'Changed by somebody else: Budget in dollars',
  })
  await dialog.getByLabel('Budget in dollars').fill('9')
  await dialog.getByLabel('Budget in runs').fill('12')
  await bob.call('updateMission', {
    id,
    budget: { usd: '77', tokens: 1_000_000 },
    useWorktrees: true,
  })
  await conflict.getByText('Theirs: 77').waitFor()
  await conflict.getByText('Yours: 9').waitFor()
  expect(await dialog.getByLabel('Budget in tokens').inputValue()).toBe('1000000')
  expect(await save.isDisabled()).toBe(true)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const { budget, useWorktrees } = await alice.mission(mission)
  expect({ budget, useWorktrees }).toEqual({
    budget: { usd: '9', tokens: 1_000_000, runs: 12 },
    useWorktrees: true,
  })
  expect(misdeeds).toEqual([])
})

test('what is saved while something else of the mission changes goes out again on top of that by itself', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { alice, bob } = scene.world
  const { id } = mission
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const dialog = await openSettings(page)
  await dialog.getByLabel('Budget in runs').fill('12')
  await beforeSaved(page, id, () => bob.call('updateMission', { id, priority: 'high' }))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await alice.mission(mission)).toMatchObject({ budget: { runs: 12 }, priority: 'high' })
})

test('what is written on while it is saved waits for its own saving', async ({
  openApp,
  scene,
}) => {
  const { mission } = await showMission(scene.world)
  const { alice, bob } = scene.world
  const { id } = mission
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const dialog = await openSettings(page)
  const runs = dialog.getByLabel('Budget in runs')
  await runs.fill('1')
  await beforeSaved(page, id, async () => {
    await bob.call('updateMission', { id, priority: 'high' })
    await runs.fill('12')
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('It was changed meanwhile').waitFor()
  await page.getByRole('button', { name: 'Priority high', includeHidden: true }).waitFor()
  expect((await alice.mission(mission)).budget).toMatchObject({ runs: null })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await alice.mission(mission)).toMatchObject({ budget: { runs: 12 }, priority: 'high' })
})

test('a name of a queue that somebody else gives meanwhile is shown with the one written here', async ({
  openApp,
  scene,
}) => {
  const { alice, bob } = scene.world
  const { project } = await scene.world.missionWith([])
  const { queue } = await alice.call('createRunQueue', { id: project.id, name: 'Night' })
  const { page } = await openApp()
  await openQueues(page, scene, project)
  await page.getByRole('button', { name: 'What to do with the queue Night' }).click()
  await page.getByRole('menuitem', { name: 'Rename …' }).click()
  const dialog = page.getByRole('dialog', { name: /^Rename / })
  const conflict = dialog.getByRole('region', { name: 'Changed by somebody else' })
  await dialog.getByLabel('Name').fill('Evening')
  await bob.call('updateRunQueue', { id: queue.id, name: 'Morning' })
  await conflict.getByText('Theirs: Morning').waitFor()
  expect(await dialog.getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Evening' }).waitFor()
})

/** Done by somebody who is quicker by so little, once, that the page has not heard of it when it saves the mission. */
async function beforeSaved(page: Page, id: string, work: () => Promise<unknown>): Promise<void> {
  let isToCome = true
  await page.route(`**/api/missions/${id}`, async (route) => {
    if (isToCome && route.request().method() === 'PATCH') {
      isToCome = false
      await work()
    }
    return route.fallback()
  })
}

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More of this mission' }).click()
  await page.getByRole('menuitem', { name: 'Budget and settings …' }).click()
  return page.getByRole('dialog', { name: 'Budget and settings' })
}
