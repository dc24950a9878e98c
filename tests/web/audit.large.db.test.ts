import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { writeTrail } from './audit-scene.ts'
import { slugOf, test } from './scene.ts'

const entriesOf = (page: Page) =>
  page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem')

test('the audit trail shows what is done as it happens, by whom and by what, leads there, and is narrowed by the address', async ({
  openApp,
  scene,
  goTo,
}) => {
  const { world } = scene
  const { alice } = world
  const { userId } = await alice.actor()
  const ann = await world.person('member', 'Ann')
  const { userId: annId } = await ann.actor()
  await writeTrail(world, { userId: annId, count: 120 })
  const { page, misdeeds } = await openApp()
  await goTo(page, '/audit')
  await expect.poll(() => entriesOf(page).count()).toBe(50)

  // what somebody does on another page of the app
  const { mission, project } = await world.missionWith(['Sort it'], { title: 'Old plans' })
  const other = await page.context().newPage()
  await other.goto(`/w/${await slugOf(scene)}/p/${project.slug}`)
  await other.getByText('Old plans').waitFor()
  await other.keyboard.press('j')
  await other.keyboard.press('Delete')
  await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const deleted = entriesOf(page).filter({ hasText: 'Mission deleted' })
  await deleted.getByText('Old plans').waitFor()
  await deleted.getByText('alice in a browser').waitFor()
  await deleted.getByText('from 127.0.0.1').waitFor()
  await deleted.getByRole('link', { name: mission.displayId }).waitFor()
  await other.close()

  // by a token, and with all that is known of it
  const minted = await alice.call('createUserToken', { label: 'night shift', preset: 'runner' })
  const made = entriesOf(page).filter({ hasText: 'night shift' })
  await made.getByText('Token made').waitFor()
  await made.getByText((await alice.actor()).credential.prefix ?? '').waitFor()
  await made.getByText('Details').click()
  await made.getByText('"preset": "runner"').waitFor()
  expect(await page.content()).not.toContain(minted.token)

  // what comes while somebody reads waits
  await alice.call('revokeUserToken', { id: minted.userToken.id })
  await page.getByRole('button', { name: '↑ 1 new' }).waitFor()
  expect(await entriesOf(page).first().innerText()).toContain('Token made')
  await page.getByRole('button', { name: '↑ 1 new' }).click()
  await expect.poll(() => entriesOf(page).first().innerText()).toContain('Token revoked')

  await made.getByRole('link', { name: 'All that was done to this' }).click()
  await expect.poll(() => entriesOf(page).count()).toBe(2)
  expect(page.url()).toContain(`of=${minted.userToken.id}`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByLabel('Who').selectOption({ label: 'Ann' })
  await expect.poll(() => entriesOf(page).filter({ hasText: 'Signed in' }).count()).toBe(50)
  await page.keyboard.press('o')
  await expect.poll(() => new URL(page.url()).searchParams.get('cursor')).toMatch(/^[\da-f-]{36}$/)
  await page.getByRole('link', { name: 'The newest' }).waitFor()
  await page.keyboard.press('o')
  await expect.poll(() => entriesOf(page).count()).toBe(20)
  await page.keyboard.press('n')
  await expect.poll(() => entriesOf(page).count()).toBe(50)
  await page.getByLabel('What').selectOption('Mission deleted')
  await page.getByText('No entry is like that.').waitFor()
  await page.getByLabel('Who').selectOption({ label: 'alice' })
  await expect.poll(() => entriesOf(page).count()).toBe(1)
  expect(new URL(page.url()).search).toBe(`?who=${userId}&what=mission.deleted`)
  await page.reload()
  await deleted.getByText('Old plans').waitFor()
  await page.getByLabel('Since').fill('2999-01-01')
  await page.getByText('No entry is like that.').waitFor()
  expect(page.url()).toContain('since=2999-01-01')
  expect(misdeeds).toEqual([])
})

test('whoever is no admin is offered no audit trail, and shown nothing of it', async ({
  windowOf,
  scene,
  goTo,
}) => {
  const { world } = scene
  await world.alice.call('createUserToken', { label: 'not theirs', preset: 'full' })
  for (const person of [world.bob, world.vera]) {
    const { page } = await windowOf(person)
    await goTo(page, '')
    await page.getByRole('link', { name: 'Usage' }).waitFor()
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await goTo(page, '/audit')
    await page.getByRole('alert').getByText('audit:read').waitFor()
    expect(await page.locator('main select, main [data-entry]').count()).toBe(0)
    expect(await page.getByText('not theirs').count()).toBe(0)
  }
})
