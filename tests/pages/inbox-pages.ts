import type { Page } from 'playwright-core'
import { type ShownInbox, inboxToLookAt } from '../web/inbox-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** What was noted down for later, where missions are found, and what can be open over both. */
export const inboxPages: readonly ShownPage[] = [
  {
    name: 'inbox',
    at: '/w/:workspace/inbox',
    about: 'What somebody, or an agent of theirs, has noted down for later, and what became of it.',
    isSignedIn: true,
    async open(page, scene) {
      await openInbox(page, scene, '?state=all')
    },
  },
  {
    name: 'inbox-capture',
    at: '/w/:workspace/projects',
    about: 'What comes to mind is noted down from any page, by one key.',
    isSignedIn: true,
    async open(page, scene) {
      await goTo(page, scene, '/projects')
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
      await page.keyboard.press('i')
      await page
        .getByLabel('Note something down')
        .fill('The export is slow\n\nWith more than 10,000 rows.')
    },
  },
  ofItem('inbox-turn', 'An item becomes a mission.', async (page) => {
    await page.getByRole('button', { name: 'Turn into a mission …' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Turn into a mission' })
    await dialog.getByRole('button', { name: 'Another objective' }).click()
    await dialog.getByLabel('Objective 2').fill('Say in docs/logs.md how long they are kept.')
  }),
  ofItem('inbox-edit', 'Edit the item', async (page) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Edit the item' }).waitFor()
  }),
  ofItem('inbox-delete', 'Delete the item', async (page) => {
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Delete the item' }).waitFor()
  }),
  {
    name: 'search',
    at: '/w/:workspace/search',
    about: 'Missions of all projects, with the objective that has the words.',
    isSignedIn: true,
    async open(page, scene) {
      const { mission } = await inboxToLookAt(scene.world)
      await goTo(page, scene, '/search?q=the')
      await page.locator(`[data-found="${mission.displayId}"]`).waitFor()
    },
  },
  {
    name: 'search-deleted',
    at: '/w/:workspace/search',
    about: 'What was deleted, of all projects.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      const { mission } = await scene.world.missionWith([], { title: 'Deleted' })
      const missionIds = [mission.id]
      await scene.world.alice.call('deleteMissions', { missionIds, confirm: true })
      await goTo(page, scene, '/search?deleted=1')
      await page.getByRole('button', { name: `Restore ${mission.displayId}` }).waitFor()
    },
  },
  {
    name: 'search-delete',
    at: '/w/:workspace/search',
    about: 'A list of what is deleted is looked at before it is.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      const { mission } = await inboxToLookAt(scene.world)
      await goTo(page, scene, `/search?do=delete&missions=${mission.displayId}`)
      await page.getByText('It can be restored for').waitFor()
    },
  },
]

async function openInbox(page: Page, scene: PageScene, search = ''): Promise<ShownInbox> {
  const shown = await inboxToLookAt(scene.world)
  await goTo(page, scene, `/inbox${search}`)
  // its Markdown is drawn by a file of its own
  await page.getByRole('list', { name: 'Inbox items' }).locator('code').first().waitFor()
  return shown
}

function ofItem(name: string, about: string, then: (page: Page) => Promise<unknown>): ShownPage {
  return {
    name,
    at: '/w/:workspace/inbox',
    about,
    isSignedIn: true,
    ...(name !== 'inbox-turn' && { hasNoPicture: true as const }),
    async open(page, scene) {
      await openInbox(page, scene)
      await then(page)
    },
  }
}
