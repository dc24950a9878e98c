import { expect } from 'vitest'
import { showMission } from './mission-scene.ts'
import { openMission } from './open-mission.ts'
import { test } from './scene.ts'

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
