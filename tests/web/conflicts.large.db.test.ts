import { describe, expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
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
