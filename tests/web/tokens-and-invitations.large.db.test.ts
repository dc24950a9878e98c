import { enrol } from '@svc/domain/testing/enrol'
import { verifies } from '@svc/testing/verifies'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { doWith, invite, joinBy, rowOf, statusOf } from './open-access.ts'
import { expectLive, test } from './scene.ts'
import { expectForgotten, keep } from './shown-once.ts'

test(
  verifies(
    'auth.mint-settings',
    'a token is made by its preset, shown once, taken by the service, and after it is revoked refused',
  ),
  async ({ openApp, scene, goTo }) => {
    const { mission } = await scene.world.missionWith(['a'])
    const { page, misdeeds } = await openApp()
    await goTo(page, '/projects')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Your tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).waitFor()
    expect(page.url()).toContain('/access?tab=tokens')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('What it is for').fill('laptop')
    await dialog.getByLabel('What it may do').selectOption('runner')
    await dialog.getByText('take launches as a runner, and report on their runs').waitFor()
    await dialog.getByLabel('What it may do').selectOption('read_only')
    const may = dialog.getByRole('list', { name: 'With it one may' }).getByRole('listitem')
    expect(await may.allInnerTexts()).toEqual([
      'read projects, missions, their history and what agents delivered',
    ])
    await dialog.getByLabel('Good for how many days').fill('7')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const token = await keep(page, 'The token, shown this once')
    expect(token).toMatch(/^svcut_\w+$/)
    const row = rowOf(page, 'Your tokens', 'laptop')
    await row.getByText('never used').waitFor()
    await row.getByText('good for another 7 days').waitFor()
    await expectForgotten(page, token)

    const read = `/api/missions/${mission.id}`
    expect(await statusOf(scene.baseUrl, token, read)).toBe(200)
    await row.getByRole('button', { name: 'Revoke laptop' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    expect(await row.getByRole('button', { name: 'Revoke laptop' }).count()).toBe(0)
    expect(await statusOf(scene.baseUrl, token, read)).toBe(401)
    expect(misdeeds).toEqual([])
  },
)

test('somebody joins by the link, loses what they may do no more under an open page, and is told when they are removed', async ({
  openApp,
  windowOf,
  goTo,
}) => {
  const { page, misdeeds } = await openApp()
  await goTo(page, '/access')
  const link = await invite(page, 'dora@example.com', 'admin')
  await expectForgotten(page, link)

  const dora = await windowOf()
  let loads = 0
  await joinBy(dora.page, link, 'dora')
  const row = rowOf(page, 'Members', 'dora')
  await row.getByText('admin', { exact: true }).waitFor()
  await row.getByText('dora@example.com').waitFor()

  await goTo(dora.page, '/access?tab=invitations')
  dora.page.on('load', () => (loads += 1))
  await dora.page.getByRole('button', { name: 'Invite somebody' }).click()
  await dora.page.getByLabel('E-mail address').fill('too@late')
  await doWith(page, 'dora', 'Change the role')
  const roles = page.getByRole('dialog', { name: 'The role of dora' })
  await roles.getByLabel('Role').selectOption('viewer')
  await roles.getByText('changes nothing of them').waitFor()
  await roles.getByRole('button', { name: 'Change the role' }).click()
  await dora.page
    .getByRole('list', { name: 'Messages' })
    .getByText('Your role here is viewer now')
    .waitFor()
  await dora.page.getByRole('alert').getByText('member:invite').waitFor()
  expect(await dora.page.getByRole('dialog').count()).toBe(0)
  expect(await dora.page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0)
  const pages = dora.page.getByRole('navigation', { name: 'Pages' })
  expect(await pages.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  await row.getByText('viewer', { exact: true }).waitFor()

  await doWith(page, 'dora', 'Remove')
  const removal = page.getByRole('dialog', { name: 'Remove dora' })
  await removal.getByText('Nothing but their membership.').waitFor()
  await removal.getByRole('button', { name: 'Remove from the workspace' }).click()
  const told = dora.page.getByRole('dialog', { name: 'You are no member here any more' })
  await told.waitFor()
  await row.waitFor({ state: 'detached' })
  expect(loads).toBe(0)
  await dora.page.keyboard.press('Escape')
  await dora.page.getByRole('tab', { name: 'Your tokens' }).click()
  await dora.page
    .getByText('You are no member of this workspace any more, or it was deleted.')
    .waitFor()
  await dora.page.goto('/')
  await dora.page.getByRole('heading', { name: 'You are in no workspace yet' }).waitFor()
  expect([...misdeeds, ...dora.misdeeds]).toEqual([])
})

test('whose workspace is deleted is told so as well, and how it comes back', async ({
  windowOf,
  scene,
}) => {
  const { domain } = scene.world
  const [owner, member] = [
    await enrol(domain, { workspace: 'closing', name: 'olga', role: 'owner' }),
    await enrol(domain, { workspace: 'closing', name: 'mia', role: 'member' }),
  ]
  const [own, other] = [await windowOf(owner), await windowOf(member)]
  for (const { page } of [own, other]) {
    await page.goto('/w/closing/projects')
    await expectLive(page)
  }
  await owner.call('deleteWorkspace', { name: 'Closing' })
  const toldTo = (page: Page) =>
    page.getByRole('dialog', { name: 'You are no member here any more' })
  await toldTo(other.page).getByText('an owner at their account, for 30 days').waitFor()
  await toldTo(own.page).getByText('you at your account, for 30 days').waitFor()
  await own.page.getByRole('link', { name: 'Your account' }).click()
  await own.page.getByRole('button', { name: 'Restore Closing' }).click()
  await other.page.goto('/w/closing/projects')
  await expectLive(other.page)
  expect([...own.misdeeds, ...other.misdeeds]).toEqual([])
})
