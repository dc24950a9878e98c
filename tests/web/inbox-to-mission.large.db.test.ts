import { personWith } from '@svc/domain/testing/people'
import { expect } from 'vitest'
import { cardIn, openBoard } from './open-board.ts'
import { captureField, itemOf, turning } from './open-inbox.ts'
import { test } from './scene.ts'

test('what is noted down from any page becomes a mission on a board, by the mouse', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { project } = await scene.world.missionWith([])
  const { page, misdeeds } = await openApp()
  await goTo(page, '/projects')
  await page.getByRole('button', { name: /^You, / }).click()
  await page.getByRole('menuitem', { name: 'Note something down' }).click()
  await captureField(page).fill('## Rotate the logs\n\nBefore the **disk** is full.')
  await page.getByRole('button', { name: 'Note it down' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const nav = page.getByRole('navigation', { name: 'Pages' })
  await nav.getByRole('link', { name: /^Inbox [1-9]/ }).click()
  const item = itemOf(page, 'Rotate the logs')
  await item.getByText('noted by you, in a browser').waitFor()
  await item.locator('strong', { hasText: 'disk' }).waitFor()

  await item.getByRole('button', { name: 'Turn into a mission …' }).click()
  const dialog = turning(page)
  await dialog.getByLabel('Project').selectOption({ label: project.name })
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Rotate the logs')
  const first = dialog.getByLabel('Objective 1')
  expect(await first.inputValue()).toBe('Before the **disk** is full.')
  await dialog.getByLabel('Title').fill('Rotate all logs')
  await dialog.getByRole('button', { name: 'Another objective' }).click()
  await dialog.getByLabel('Objective 2').fill('Test it.')
  await dialog.getByLabel('Priority').selectOption('high')
  await dialog.getByRole('button', { name: 'Make the mission' }).click()
  await item.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Turned' }).click()
  await item.getByText(/It became .*, by you, in a browser · just now/).waitFor()
  expect(page.url()).toMatch(/\/inbox\?state=turned$/)
  await item.getByRole('link', { name: new RegExp(`^${project.slug}:`) }).click()
  await page.getByRole('heading', { name: 'Rotate all logs' }).waitFor()
  await openBoard(page, scene, project)
  await cardIn(page, 'Backlog', 'Rotate all logs').getByText('0/2').waitFor()
  const { missions } = await scene.world.alice.call('listMissions', { query: 'Rotate all logs' })
  expect(missions).toMatchObject([{ priority: 'high', projectId: project.id }])
  expect(misdeeds).toEqual([])
})

test('the same is done by keys alone, and what an agent notes down is there at once', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { world } = scene
  const { project } = await world.missionWith([])
  const { page, misdeeds } = await openApp()
  await goTo(page, '/projects')
  await page.getByRole('button', { name: 'New project' }).waitFor()
  await page.keyboard.press('i')
  await page.keyboard.type('Dark icons')
  await page.keyboard.press('Enter')
  await page.keyboard.type('For the night.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await itemOf(page, 'Dark icons').waitFor()

  const { token } = await world.alice.call('createUserToken', { label: 'Claude', preset: 'full' })
  const text = 'Seen by the way: it waits `5 s`.'
  await personWith(world.domain, token).tool('svc_create_inbox_item', {
    title: 'A slow test',
    text,
  })
  const ofAgent = itemOf(page, 'A slow test')
  await ofAgent.getByText('noted by an agent, with the token Claude').waitFor()
  await ofAgent.locator('code', { hasText: '5 s' }).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('t')
  await turning(page).waitFor()
  await page.keyboard.type(project.name)
  await page.keyboard.press('Control+Enter')
  await itemOf(page, 'Dark icons').waitFor({ state: 'detached' })
  await openBoard(page, scene, project)
  await cardIn(page, 'Backlog', 'Dark icons').waitFor()
  expect(misdeeds).toEqual([])
})
