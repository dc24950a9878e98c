import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { World } from '@svc/domain/testing/open-world'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
import { expectLive, test } from './scene.ts'

test('what is taken out of an artifact is gone, its text as well as its address', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { mission } = await showMission(scene.world)
  const { artifact } = await alice.call('createArtifact', {
    id: mission.id,
    type: 'note',
    label: 'Both of them',
    contentText: 'An old text.',
    externalUrl: 'https://old.example/',
  })
  const read = async () => {
    const { artifacts } = await alice.call('listArtifacts', { id: mission.id })
    return artifacts.find(({ id }) => id === artifact.id)
  }
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  await page.getByText(/^Artifacts /).click()
  const edit = async (field: string, text: string) => {
    await page.getByRole('button', { name: 'Edit Both of them' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the artifact' })
    await dialog.getByLabel(field, { exact: true }).fill(text)
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await edit('Text', '')
  expect(await read()).toMatchObject({ contentText: '', externalUrl: 'https://old.example/' })
  await edit('Text', 'A new text.')
  await edit('Address', '')
  expect(await read()).toMatchObject({ contentText: 'A new text.', externalUrl: null })
})

test('an artifact whose new name got no answer is opened with its text, also after a reload', async ({
  openApp,
  scene,
}) => {
  const { alice } = scene.world
  const { mission } = await showMission(scene.world)
  const contentText = 'A text that stays.'
  const order = { type: 'note', label: 'First name', externalUrl: 'https://old.example/' }
  const { artifact } = await alice.call('createArtifact', {
    id: mission.id,
    ...order,
    contentText,
  })
  const { page } = await openApp()
  await openMission(page, scene, mission.displayId)
  const edit = async () => {
    await page.getByText(/^Artifacts /).click()
    await page.getByRole('button', { name: 'Edit First name' }).click()
    return page.getByRole('dialog', { name: 'Edit the artifact' })
  }
  await page.route('**/artifacts/*', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  )
  const dialog = await edit()
  await dialog.getByLabel('Name', { exact: true }).fill('Second name')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.getByRole('button', { name: 'Send again' }).waitFor()
  await page.unroute('**/artifacts/*')
  await page.reload()
  const again = await edit()
  expect(await again.getByLabel('Text', { exact: true }).inputValue()).toBe(contentText)
  await again.getByRole('button', { name: 'Keep it' }).click()
  await again.waitFor({ state: 'detached' })
  const { artifacts } = await alice.call('listArtifacts', { id: mission.id })
  const saved = artifacts.find(({ id }) => id === artifact.id)
  expect(saved).toMatchObject({ ...order, label: 'Second name', contentText })
})

describe('an artifact that somebody else changes while it is edited', () => {
  const begin = async ({ alice, bob }: World, missionId: string) => {
    const { artifact } = await alice.call('createArtifact', {
      id: missionId,
      type: 'note',
      label: 'Plan',
      contentText: 'Draw the icons.',
    })
    const ofIt = { id: missionId, artifactId: artifact.id }
    return {
      read: async () => {
        const { artifacts } = await alice.call('listArtifacts', { id: missionId })
        return artifacts.find(({ id }) => id === artifact.id)
      },
      ofBob: (expectedRevision: number, changes: { label?: string; contentText?: string }) =>
        bob.call('updateArtifact', { ...ofIt, expectedRevision, ...changes }),
    }
  }
  const unfold = (page: Page) => page.getByText(/^Artifacts /).click()
  const edit = async (page: Page) => {
    await page.getByRole('button', { name: 'Edit Plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the artifact' })
    return {
      dialog,
      text: dialog.getByLabel('Text', { exact: true }),
      conflict: dialog.getByRole('region', { name: 'Changed by somebody else: Text' }),
      keep: dialog.getByRole('button', { name: 'Keep it' }),
    }
  }

  test.for(['Cancel', 'reload'])(
    'is shown with the draft that was left here by %s, and nothing is kept until one is chosen',
    async (leaving, { openApp, scene }) => {
      const { mission } = await showMission(scene.world)
      const { ofBob, read } = await begin(scene.world, mission.id)
      const { page, misdeeds } = await openApp()
      await openMission(page, scene, mission.displayId)
      await unfold(page)
      const first = await edit(page)
      await first.text.fill('Draw the signs.')
      if (leaving === 'Cancel') await first.dialog.getByRole('button', { name: leaving }).click()
      else {
        await page.reload()
        await expectLive(page)
        await unfold(page)
      }
      await ofBob(1, { contentText: 'Draw the letters.' })
      const { conflict, text, keep, dialog } = await edit(page)
      await conflict.getByText('Theirs: letters').waitFor()
      await conflict.getByText('Yours: signs').waitFor()
      await text.press('Control+Enter')
      expect(await keep.isDisabled()).toBe(true)
      expect(await read()).toMatchObject({ contentText: 'Draw the letters.', revision: 2 })

      await conflict.getByRole('button', { name: 'Keep mine' }).click()
      await keep.click()
      await dialog.waitFor({ state: 'detached' })
      expect(await read()).toMatchObject({ contentText: 'Draw the signs.', revision: 3 })
      expect(misdeeds).toEqual([])
    },
  )

  test('is shown where both have it open, and theirs can be taken', async ({ openApp, scene }) => {
    const { mission } = await showMission(scene.world)
    const { ofBob, read } = await begin(scene.world, mission.id)
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await unfold(page)
    const { conflict, text, keep, dialog } = await edit(page)
    await text.fill('Draw the signs.')
    await ofBob(1, { contentText: 'Draw the letters.' })
    await conflict.getByText('Theirs: letters').waitFor()
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    expect(await text.inputValue()).toBe('Draw the letters.')
    await keep.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ contentText: 'Draw the letters.', revision: 2 })
  })

  test('is shown as soon as keeping it is refused, before the page has heard of it', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await showMission(scene.world)
    const { ofBob, read } = await begin(scene.world, mission.id)
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await unfold(page)
    const { conflict, text, keep, dialog } = await edit(page)
    await text.fill('Draw the signs.')
    // theirs comes in between, at the last moment
    await page.route(
      '**/artifacts/*',
      async (route) => {
        await ofBob(1, { contentText: 'Draw the letters.' })
        return route.fallback()
      },
      { times: 1 },
    )
    await keep.click()
    await conflict.getByText('Theirs: letters').waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    expect(await dialog.getByText('Read it again').count()).toBe(0)
    await keep.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ contentText: 'Draw the signs.', revision: 3 })
  })

  test('keeps what they changed of the fields that are left alone here', async ({
    openApp,
    scene,
  }) => {
    const { mission } = await showMission(scene.world)
    const { ofBob, read } = await begin(scene.world, mission.id)
    const { page } = await openApp()
    await openMission(page, scene, mission.displayId)
    await unfold(page)
    const { text, keep, dialog } = await edit(page)
    await text.fill('Draw the signs.')
    await ofBob(1, { label: 'Plan of Bob' })
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Plan of Bob')
    await keep.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ label: 'Plan of Bob', contentText: 'Draw the signs.' })
  })
})
