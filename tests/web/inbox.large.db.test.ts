import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { password } from '../pages/scene.ts'
import { captureField, itemOf, turning } from './open-inbox.ts'
import { expectLive, slugOf, test } from './scene.ts'

const createPath = '**/api/inbox-items'

describe('two browsers of one person', () => {
  test('see what the other one does with an item, and an attempt that comes second is told so', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { project } = await scene.world.missionWith([])
    await alice.call('createInboxItem', { title: 'Wanted by both', text: 'Once.' })
    const [{ page: one }, { page: other }] = [await windowOf(alice), await windowOf(alice)]
    for (const page of [one, other]) {
      await goTo(page, '/inbox')
      await itemOf(page, 'Wanted by both')
        .getByRole('button', { name: 'Turn into a mission …' })
        .click()
      await turning(page).getByLabel('Project').selectOption({ label: project.name })
    }
    await turning(other).getByLabel('Objective 1').fill('Written here meanwhile.')
    await turning(one).getByRole('button', { name: 'Make the mission' }).click()
    await itemOf(one, 'Wanted by both').waitFor({ state: 'detached' })
    await itemOf(other, 'Wanted by both').waitFor({ state: 'detached' })
    await turning(other)
      .getByText(/It became \S+, by you, in a browser/)
      .waitFor()

    await turning(other).getByRole('button', { name: 'Make the mission' }).click()
    const refusal = turning(other).getByRole('alert')
    await refusal.getByText(/was turned into mission \S+:2 before, by you in a browser\./).waitFor()
    expect(await turning(other).getByLabel('Objective 1').inputValue()).toBe(
      'Written here meanwhile.',
    )
    await refusal.getByRole('link', { name: 'Its mission' }).click()
    await other.getByRole('heading', { name: 'Wanted by both' }).waitFor()
    const { missions } = await alice.call('listMissions', { projectId: project.id })
    expect(missions.map(({ title }) => title)).toContain('Wanted by both')
    expect(missions).toHaveLength(2)
  })

  test('are told by the service where the feed has not told them', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { project } = await scene.world.missionWith([])
    const { inboxItem } = await alice.call('createInboxItem', { title: 'Turned elsewhere' })
    const { page } = await windowOf(alice)
    await goTo(page, '/inbox')
    await itemOf(page, 'Turned elsewhere').getByRole('button', { name: 'Turn' }).click()
    await turning(page).getByLabel('Project').selectOption({ label: project.name })
    let sends = 0
    await page.route('**/api/inbox-items/*/mission', async (route) => {
      sends += 1
      await alice.call('turnInboxItem', { id: inboxItem.id, projectId: project.id })
      await route.continue()
    })
    await page.keyboard.press('Control+Enter')
    const refusal = turning(page).getByRole('alert')
    await refusal.getByText('before, by you with the token own.').waitFor()
    expect(sends).toBe(1)
  })

  test('are shown both texts where they edit an item at once', async ({
    windowOf,
    scene,
    goTo,
  }) => {
    const { alice } = scene.world
    const { inboxItem } = await alice.call('createInboxItem', { title: 'Edited', text: 'Before.' })
    const { page } = await windowOf(alice)
    await goTo(page, '/inbox')
    await itemOf(page, 'Edited').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the item' })
    await dialog.getByLabel('Text').fill('Mine.')
    await alice.call('updateInboxItem', { id: inboxItem.id, text: 'Theirs.' })
    const conflict = dialog.getByRole('region', { name: 'Changed by somebody else' })
    await conflict.getByText('Theirs').first().waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await dialog.waitFor({ state: 'detached' })
    await itemOf(page, 'Edited').getByText('Mine.').waitFor()
    const { inboxItem: kept } = await alice.call('getInboxItem', { id: inboxItem.id })
    expect(kept).toMatchObject({ title: 'Edited', text: 'Mine.' })
  })
})

describe('what is typed to be noted down', () => {
  const noted = async (scene: { world: { alice: { call: Call } } }, title: string) => {
    const { inboxItems } = await scene.world.alice.call('listInboxItems', { limit: 200 })
    return inboxItems.filter((item) => item.title === title)
  }
  type Call = (
    name: 'listInboxItems',
    input: { limit: number },
  ) => Promise<{ inboxItems: { title: string; text: string | null }[] }>

  test('outlives a reload, and is the same in the dialog and on the page', async ({
    openApp,
    goTo,
  }) => {
    const { page } = await openApp()
    await goTo(page, '/projects')
    await page.getByRole('button', { name: 'New project' }).waitFor()
    await page.keyboard.press('i')
    await captureField(page).fill('Half of a sent')
    await page.reload()
    await expectLive(page)
    await page.keyboard.press('i')
    expect(await captureField(page).inputValue()).toBe('Half of a sent')
    await page.keyboard.press('Escape')
    await goTo(page, '/inbox')
    expect(await captureField(page).inputValue()).toBe('Half of a sent')
    await page.keyboard.press('i')
    await page.keyboard.type('ence')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await captureField(page).inputValue()).toContain('ence')
    // the menu leads to the same field: a second one would hold the text once more
    await page.getByRole('button', { name: /^You, / }).click()
    await page.getByRole('menuitem', { name: 'Note something down' }).click()
    await page.keyboard.type(' of mine')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await captureField(page).inputValue()).toContain('of mine')
  })

  test('is sent once, though its answer is lost', async ({ openApp, scene, goTo }) => {
    const { page } = await openApp()
    await goTo(page, '/inbox')
    await captureField(page).fill('Sent once\nWith a text.')
    let lost = 0
    await page.route(createPath, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      lost += 1
      return route.abort()
    })
    await page.keyboard.press('Control+Enter')
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    expect(lost).toBeGreaterThan(1)
    await page.unroute(createPath)
    await page.reload()
    await expectLive(page)
    expect(await captureField(page).inputValue()).toBe('Sent once\nWith a text.')
    await captureField(page).press('Control+Enter')
    await expect.poll(() => captureField(page).inputValue()).toBe('')
    expect(await noted(scene, 'Sent once')).toMatchObject([{ text: 'With a text.' }])
  })

  test('is there after a sign-in that has lapsed, and is asked about if it may have been done', async ({
    openApp,
    scene,
    goTo,
  }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await goTo(page, '/inbox')
    await captureField(page).fill('Typed before it lapsed')
    await endAllSignIns(page, scene.baseUrl)
    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    await dialog.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill(scene.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`/w/${await slugOf(scene)}/inbox`)
    await expectLive(page)
    expect(await captureField(page).inputValue()).toBe('Typed before it lapsed')
    await captureField(page).press('Control+Enter')
    await itemOf(page, 'Typed before it lapsed').waitFor()
    expect(await captureField(page).inputValue()).toBe('')
    expect(await noted(scene, 'Typed before it lapsed')).toHaveLength(1)
  })

  test('that is too long is said to be, and not sent', async ({ openApp, goTo }) => {
    const { page } = await openApp()
    await goTo(page, '/inbox')
    await captureField(page).fill(`Title\n${'x'.repeat(5_001)}`)
    await page.getByText('1 characters too long').waitFor()
    const button = page.getByRole('button', { name: 'Note it down' })
    expect(await button.isDisabled()).toBe(true)
    await captureField(page).fill(`${'word '.repeat(100)}`)
    await page.keyboard.press('Control+Enter')
    await page
      .locator('[data-item]')
      .filter({ hasText: /word …/ })
      .first()
      .waitFor()
  })
})

test('the form of a mission outlives a reload, and is sent once though its answer is lost', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { alice } = scene.world
  const { project } = await scene.world.missionWith([])
  await alice.call('createInboxItem', { title: 'Half turned', text: 'One.' })
  const { page } = await openApp()
  const open = () => itemOf(page, 'Half turned').getByRole('button', { name: 'Turn' }).click()
  await goTo(page, '/inbox')
  await open()
  await turning(page).getByLabel('Project').selectOption({ label: project.name })
  await turning(page).getByLabel('Title').fill('Whole')
  await turning(page).getByRole('button', { name: 'Another objective' }).click()
  await turning(page).getByLabel('Objective 2').fill('Two.')
  // the projects come after all that is done here
  const late = Promise.withResolvers<void>()
  await page.route(/\/api\/projects(\?|$)/, async (route) => {
    await late.promise
    return route.fallback()
  })
  await page.reload()
  await expectLive(page)
  await open()
  expect(await turning(page).getByLabel('Title').inputValue()).toBe('Whole')
  expect(await turning(page).getByLabel('Objective 2').inputValue()).toBe('Two.')
  await page.route('**/api/inbox-items/*/mission', async (route) => {
    await route.fetch()
    return route.abort()
  })
  await page.keyboard.press('Control+Enter')
  const again = turning(page).getByRole('button', { name: 'Send again' })
  await again.waitFor()
  late.resolve()
  await page.unroute('**/api/inbox-items/*/mission')
  await again.click()
  await turning(page).waitFor({ state: 'detached' })
  const { missions } = await alice.call('listMissions', { projectId: project.id })
  expect(missions.filter(({ title }) => title === 'Whole')).toHaveLength(1)
})

test('an item is done, open again and deleted, and what a filter leaves out goes at once', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { alice } = scene.world
  const titles = ['To be done', 'To be deleted']
  for (const title of titles) await alice.call('createInboxItem', { title })
  const { page, misdeeds } = await openApp()
  await goTo(page, '/inbox')
  const [done, deleted] = titles.map((title) => itemOf(page, title))
  await done?.getByRole('button', { name: 'Done' }).click()
  await done?.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All' }).click()
  await done?.getByText('Done · just now').waitFor()
  await done?.getByRole('button', { name: 'Open again' }).click()
  await done?.getByRole('button', { name: 'Done' }).waitFor()
  await deleted?.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('It cannot be restored.').waitFor()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await deleted?.waitFor({ state: 'detached' })
  const { inboxItems } = await alice.call('listInboxItems', { state: 'all', limit: 200 })
  expect(inboxItems.map(({ title }) => title)).not.toContain('To be deleted')
  expect(misdeeds).toEqual([])
})

test('an inbox is read in pages, and its count is that of all', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const person = await scene.world.person('member')
  for (let count = 1; count <= 40; count += 1) {
    await person.call('createInboxItem', { title: `Item ${count}` })
  }
  const { page } = await windowOf(person)
  await goTo(page, '/inbox')
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox 40' }).waitFor()
  expect(await page.locator('[data-item]').count()).toBe(30)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect.poll(() => page.locator('[data-item]').count()).toBe(40)
  await goTo(page, '/projects')
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox 40' }).waitFor()
  const { inboxItem } = await person.call('createInboxItem', { title: 'One more' })
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox 41' }).waitFor()
  await person.call('deleteInboxItem', { id: inboxItem.id })
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox 40' }).waitFor()
})

test('whoever may only look notes nothing down, and does with their own items what is theirs', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const { world } = scene
  const person = await world.person('member')
  const { userId } = await person.actor()
  await person.call('createInboxItem', { title: 'Noted before' })
  await world.domain.db
    .updateTable('memberships')
    .set({ role: 'viewer' })
    .where('user_id', '=', userId)
    .execute()
  const { page } = await windowOf(person)
  await goTo(page, '/inbox')
  const item = itemOf(page, 'Noted before')
  await item.waitFor()
  for (const key of ['i', 'j', 't']) await page.keyboard.press(key)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await captureField(page).count()).toBe(0)
  expect(await item.getByRole('button').allInnerTexts()).toEqual(['Done', 'Edit', 'Delete'])
  await page.getByRole('button', { name: /^You, / }).click()
  await page.getByRole('menuitem', { name: 'Keys' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Note something down' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  // the menu has given the focus back to its button
  for (const key of ['j', 'd']) await page.keyboard.press(key)
  await item.waitFor({ state: 'detached' })
})

/** As from another browser. */
async function endAllSignIns(page: Page, origin: string): Promise<void> {
  const answer = await page.request.delete('/api/me/sessions', { headers: { origin } })
  expect(answer.status()).toBe(204)
}
