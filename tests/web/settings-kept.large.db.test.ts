import { expect } from 'vitest'
import { openSettings } from './open-settings.ts'
import { test } from './scene.ts'
import { columnRow, editLaunch, partOf } from './settings-scene.ts'

test('what is changed of a resource goes on top of what somebody else has changed of it', async ({
  openApp,
  scene,
}) => {
  const { alice, bob } = scene.world
  const { project } = await scene.world.missionWith([], { resources: [{ resourceKey: 'web' }] })
  const { id } = project
  const { page } = await openApp()
  await openSettings(page, scene, project)
  await page.getByRole('button', { name: 'Change web' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change web' })
  await dialog.getByLabel('What agents may do with it').selectOption('ro')
  await bob.call('linkProjectResource', { id, resourceKey: 'web', defaultBranch: 'trunk' })
  await page.locator('[data-resource="web"]').getByText('trunk').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { resources } = await alice.call('listProjectResources', { id })
  expect(resources).toMatchObject([{ permission: 'ro', defaultBranch: 'trunk' }])
})

test('a dialog of a resource that somebody else has removed does not come up again with it', async ({
  openApp,
  scene,
}) => {
  const { bob } = scene.world
  const { project } = await scene.world.missionWith([], { resources: [{ resourceKey: 'web' }] })
  const { id } = project
  const { page } = await openApp()
  await openSettings(page, scene, project)
  await page.getByRole('button', { name: 'Remove web' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove web' })
  await dialog.waitFor()
  await bob.call('unlinkProjectResource', { id, key: 'web' })
  await dialog.waitFor({ state: 'detached' })
  await bob.call('linkProjectResource', { id, resourceKey: 'web' })
  await page.locator('[data-resource="web"]').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('what is typed of the next column while one is made is not lost', async ({
  openApp,
  scene,
}) => {
  const project = await scene.world.projectWith()
  const { page } = await openApp()
  await openSettings(page, scene, project)
  const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/projects/*/statuses', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    await mayAnswer
    return route.fulfill({ response })
  })
  const field = partOf(page, 'Columns').getByLabel('New column')
  await field.fill('Later')
  await field.press('Enter')
  await page
    .getByRole('button', { name: 'Add the column' })
    .and(page.locator(':disabled'))
    .waitFor()
  await field.fill('Much later')
  resolve()
  await columnRow(page, 'Later').waitFor()
  await page.getByRole('button', { name: 'Add the column' }).and(page.locator(':enabled')).waitFor()
  expect(await field.inputValue()).toBe('Much later')
})

test('a command that is moved by its buttons keeps the focus', async ({ openApp, scene }) => {
  const project = await scene.world.projectWith()
  const preLaunchCommands = ['one', 'two', 'three']
  await scene.world.alice.call('updateLaunchSettings', { id: project.id, preLaunchCommands })
  const { page } = await openApp()
  await openSettings(page, scene, project)
  const form = await editLaunch(page)
  const commands = async () => {
    const fields = await form.getByLabel(/^Command \d$/).all()
    return Promise.all(fields.map((field) => field.inputValue()))
  }
  await form.getByRole('button', { name: 'Move up: command 3' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(commands).toEqual(['one', 'three', 'two'])
  await page.keyboard.press('Enter')
  await expect.poll(commands).toEqual(['three', 'one', 'two'])
  // it is the first now, and goes down alone
  await page.keyboard.press('Enter')
  await expect.poll(commands).toEqual(['one', 'three', 'two'])
})
