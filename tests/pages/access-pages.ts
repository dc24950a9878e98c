import type { Page } from 'playwright-core'
import { type ShownAccess, accessToLookAt } from '../web/access-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

type Then = (page: Page, shown: ShownAccess) => Promise<unknown>

const nothingMore: Then = () => Promise.resolve()
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()
const sees = (page: Page, title: string | RegExp) =>
  page.getByRole('dialog', { name: title }).waitFor()

/** Each part of the page that says who may come in and by what, and each dialog of it. */
export const accessPages: readonly ShownPage[] = [
  {
    ...inTab('access', 'members', 'Members', nothingMore),
    about: 'Who is in a workspace, and what each of them may do.',
  },
  inTab('access-invite', 'members', 'Members', async (page) => {
    await press(page, 'Invite somebody')
    await sees(page, 'Invite somebody')
  }),
  inTab('access-invite-link', 'members', 'Members', async (page) => {
    await press(page, 'Invite somebody')
    await page.getByLabel('E-mail address').fill('new@example.com')
    await press(page, 'Make the link')
    await sees(page, 'The link, shown this once')
  }),
  ofMember('access-role', 'Change the role', 'The role of gina'),
  ofMember('access-reset', 'Link to reset', 'Reset the account of gina'),
  ofMember('access-reset-link', 'Link to reset', 'Reset the account of gina', async (page) => {
    await press(page, 'Make the link')
    await sees(page, 'The link, shown this once')
  }),
  ofMember('access-remove', 'Remove', 'Remove gina', async (page) => {
    await page.getByRole('list', { name: 'Runners, which stop' }).waitFor()
  }),
  ofMember('access-leave', 'Leave', /^Leave /, async (page) => {
    await page.getByRole('list', { name: 'Tokens' }).waitFor()
  }),
  inTab('access-invitations', 'invitations', 'Invitations', nothingMore),
  inTab('access-invitation-new-link', 'invitations', 'Invitations', async (page) => {
    await press(page, /^New link for /)
    await sees(page, /^A new link for /)
  }),
  inTab('access-invitation-revoke', 'invitations', 'Invitations', async (page) => {
    await press(page, /^Revoke the invitation /)
    await sees(page, 'Revoke the invitation')
  }),
  inTab('access-tokens', 'tokens', 'Your tokens', async (page) => {
    await page.getByText('What it may do').first().click()
  }),
  inTab('access-token-new', 'tokens', 'Your tokens', async (page) => {
    await press(page, 'New token')
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('What it is for').fill('build machine')
    await dialog.getByText('For all projects').click()
    await dialog.getByLabel('Good for how many days').fill('9999')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Give a number from 1 to').waitFor()
  }),
  inTab('access-token-once', 'tokens', 'Your tokens', async (page) => {
    await press(page, 'New token')
    await page.getByLabel('What it is for').fill('shown once')
    await press(page, 'Create')
    await sees(page, 'The token, shown this once')
  }),
  inTab('access-token-revoke', 'tokens', 'Your tokens', async (page) => {
    await press(page, 'Revoke laptop')
    await sees(page, 'Revoke the token')
  }),
  inTab('access-all-tokens', 'all-tokens', 'All tokens', nothingMore),
  inTab('access-applications', 'applications', 'Applications', nothingMore),
  inTab('access-application-end', 'applications', 'Applications', async (page) => {
    await press(page, /^Disconnect /)
    await sees(page, 'Disconnect the application')
  }),
  inTab('access-sign-ins', 'sign-ins', 'Sign-ins', nothingMore),
  inTab('access-sign-in-end', 'sign-ins', 'Sign-ins', async (page) => {
    await press(page, 'Sign out Safari on iOS')
    await sees(page, 'Sign out Safari on iOS')
  }),
  inTab('access-sign-out-everywhere', 'sign-ins', 'Sign-ins', async (page) => {
    await press(page, 'Sign out everywhere')
    await sees(page, 'Sign out everywhere')
  }),
  inTab('access-workspace', 'workspace', 'Your workspaces', nothingMore),
  inTab('access-workspace-edit', 'workspace', 'Your workspaces', async (page) => {
    await press(page, 'Edit')
    await sees(page, 'Edit the workspace')
  }),
  inTab('access-workspace-new', 'workspace', 'Your workspaces', async (page) => {
    await press(page, 'New workspace')
    const dialog = page.getByRole('dialog', { name: 'New workspace' })
    await dialog.getByLabel('Name').fill('Here, too')
  }),
]

/** A part of the page once its list is there; it has no picture of its own. */
function inTab(name: string, tab: string, list: string, then: Then): ShownPage {
  return {
    name,
    at: '/w/:workspace/access',
    about: name,
    isSignedIn: true,
    hasNoPicture: true,
    async open(page: Page, scene: PageScene) {
      const shown = await accessToLookAt(scene.world)
      await goTo(page, scene, `/access?tab=${tab}`)
      await page
        .getByRole('list', { name: list, exact: true })
        .getByRole('listitem')
        .first()
        .waitFor()
      await then(page, shown)
    },
  }
}

function ofMember(
  name: string,
  what: string,
  title: string | RegExp,
  then: Then = nothingMore,
): ShownPage {
  return inTab(name, 'members', 'Members', async (page, shown) => {
    const whose = what === 'Leave' ? 'alice' : shown.member.name
    await page.getByRole('button', { name: `What to do with ${whose}`, exact: true }).click()
    await page.getByRole('menuitem', { name: what }).click()
    await sees(page, title)
    await then(page, shown)
  })
}
