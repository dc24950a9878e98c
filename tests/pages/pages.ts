import { enrol } from '@svc/domain/testing/enrol'
import { nextName } from '@svc/domain/testing/plans'
import { appPages } from './app-pages.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** The slug of one that the person of these pages owns. */
async function ownWorkspace({ world }: PageScene, workspace: string): Promise<string> {
  await enrol(world.domain, { workspace, name: 'alice', role: 'owner' })
  return workspace
}

const ownPages: readonly ShownPage[] = [
  // the first, since it is there until anybody has a password
  {
    name: 'set-up',
    at: '/setup',
    about:
      'Where the first owner comes by the link that `npm start` and `svc-admin create-owner` print.',
    isSignedIn: false,
    open: async (page, { linkTo }) => page.goto(await linkTo.setUp()),
  },
  {
    name: 'sign-in',
    at: '/signin',
    about: 'Signing in by e-mail address and password.',
    isSignedIn: false,
    open: (page) => page.goto('/signin'),
  },
  {
    name: 'sign-in-refused',
    at: '/signin',
    about: 'A wrong password and an unknown person get the same answer.',
    isSignedIn: false,
    async open(page, { email, usePassword }) {
      await usePassword()
      await page.goto('/signin')
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill('not the one it is')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'invite',
    at: '/invite',
    about: 'Where an invitation leads somebody who is nobody here yet.',
    isSignedIn: false,
    open: async (page, { linkTo }) => page.goto(await linkTo.invite()),
  },
  {
    name: 'reset',
    at: '/reset',
    about: 'A new password, by a link from an admin, and what ends with it.',
    isSignedIn: false,
    open: async (page, { linkTo }) => page.goto(await linkTo.reset()),
  },
  {
    name: 'oauth-approve',
    at: '/oauth/approve',
    about: 'An application that knows nothing but the address of the service asks to be let in.',
    isSignedIn: true,
    open: async (page, { askAccess }) => page.goto(await askAccess()),
  },
  {
    name: 'oauth-allowed',
    at: '/oauth/approve',
    about: 'Leads back to the application, and stays where it is one that has no pages.',
    isSignedIn: true,
    async open(page, { askAccess }) {
      // as an application that takes the answer leaves the page where it is
      await page.route('https://client.example/**', (route) => route.fulfill({ status: 204 }))
      await page.goto(await askAccess())
      const taken = page.waitForResponse('https://client.example/**')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByRole('heading', { name: 'Allowed' }).waitFor()
      await taken
    },
  },
  {
    name: 'login-approve',
    at: '/login/approve',
    about: 'Where `svc login` leads: the same code stands in the terminal.',
    isSignedIn: true,
    open: async (page, { askLogin }) => page.goto((await askLogin()).address),
  },
  {
    name: 'login-approved',
    at: '/login/approve',
    about: 'The command line takes its token with its next poll.',
    isSignedIn: true,
    async open(page, { askLogin }) {
      await page.goto((await askLogin()).address)
      await page.getByRole('button', { name: 'Sign it in' }).click()
      await page.getByRole('heading', { name: 'It is signed in' }).waitFor()
    },
  },
  {
    name: 'account',
    at: '/account',
    about: 'Workspaces, tokens, connected applications, browsers and the password.',
    isSignedIn: true,
    open: (page) => page.goto('/account'),
  },
  {
    name: 'account-token',
    at: '/account/tokens',
    about: 'A new token, shown this once.',
    isSignedIn: true,
    async open(page) {
      await page.goto('/account')
      await page.getByLabel('What it is for').fill('build machine')
      await page.getByLabel('What it may do').selectOption('read_only')
      await page.getByRole('button', { name: 'Create a token' }).click()
      await page.getByRole('heading', { name: 'Your new token' }).waitFor()
    },
  },
  {
    name: 'sign-out-everywhere',
    at: '/account/sessions/end-all',
    about:
      'What acts for a person besides browsers is shown before, and ended by a button of its own.',
    isSignedIn: true,
    open: async (page) => {
      await page.goto('/account')
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('heading', { name: 'Sign out everywhere' }).waitFor()
    },
  },
  {
    name: 'refusal',
    at: '/login/approve',
    about: 'What does not work says why, and what to do.',
    isSignedIn: true,
    open: (page) => page.goto('/login/approve?request=none'),
  },
  {
    name: 'nothing-here',
    at: '/missions/1',
    about: 'An address of the service that no page has leads on.',
    isSignedIn: false,
    open: (page) => page.goto('/missions/1'),
  },
  {
    name: 'workspace-delete',
    at: '/account/workspaces/delete',
    about:
      'An owner deletes a workspace by its name, and is told what ends and how long it can be restored.',
    isSignedIn: true,
    async open(page, scene) {
      await page.goto(`/account/workspaces/delete?workspace=${await ownWorkspace(scene, 'side')}`)
      await page.getByRole('button', { name: 'Delete the workspace' }).waitFor()
    },
  },
  {
    name: 'account-deleted',
    at: '/account',
    about: 'A workspace that was deleted, until it has gone for good.',
    isSignedIn: true,
    async open(page, scene) {
      const slug = await ownWorkspace(scene, nextName('over'))
      await page.goto(`/account/workspaces/delete?workspace=${slug}`)
      await page.getByLabel('Its name, to be sure').fill(slug.replace('over', 'Over'))
      await page.getByRole('button', { name: 'Delete the workspace' }).click()
      await page.getByRole('heading', { name: 'Deleted workspaces' }).waitFor()
    },
  },
]

/** Those of the service itself, and those of the web app. */
export const shownPages: readonly ShownPage[] = [...ownPages, ...appPages]

/** Those whose pictures stand in docs/pages.md. */
export const picturedPages = shownPages.filter(({ hasNoPicture }) => !hasNoPicture)

/** Laptop and phone. */
export const widths = { laptop: 1280, phone: 360 } as const
/** Nothing scrolls sideways there either. WCAG 1.4.10. */
export const narrowest = 320
export const schemes = ['light', 'dark'] as const

/** Where the picture of a page is, seen from docs/. */
export function pictureOf(of: { name: string; device: string; scheme: string }): string {
  return `screenshots/${of.name}-${of.device}-${of.scheme}.png`
}
