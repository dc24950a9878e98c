import type { Page } from 'playwright-core'
import { boardToLookAt } from '../web/board-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** The board of a project, and what can be open over it. */
export const boardPages: readonly ShownPage[] = [
  ofBoard('board', 'The missions of a project by where they stand, and what each is at.', '', () =>
    Promise.resolve(),
  ),
  ofDialog(
    'board-filtered',
    'Some of the missions; the filter stands in the address.',
    '?q=icons',
    (page) => page.getByRole('button', { name: 'Show all' }).waitFor(),
  ),
  ofDialog('board-new', 'A mission begins with a title.', '', async (page) => {
    await page.getByRole('button', { name: 'New mission' }).click()
    await page.getByRole('dialog', { name: 'New mission' }).waitFor()
  }),
  ofDialog('board-move', 'A card is moved by its menu wherever there is no mouse.', '', (page) =>
    openByMenu(page, 'Move to …', /^Move design:\d+ to$/),
  ),
  ofDialog('board-edit', 'What a mission is called.', '', (page) =>
    openByMenu(page, 'Title and priority …', /^Title and priority/),
  ),
  ofDialog('board-delete', 'Nothing is deleted before its list was seen.', '', async (page) => {
    await openByMenu(page, 'Delete …', /^Delete design/)
    await page.getByText('It can be restored for').waitFor()
  }),
  ofDialog(
    'board-launch',
    'What is next up in a mission is launched from its card.',
    '',
    async (page) => {
      await openByMenu(page, 'Launch what is next …', /^Launch design/)
      await page.getByLabel('Agent').waitFor()
    },
  ),
  ofBoard(
    'board-columns',
    'The columns of a board: names, order, and where the missions of one go.',
    '',
    async (page) => {
      await page.getByRole('button', { name: 'More of this board' }).click()
      await page.getByRole('menuitem', { name: 'Columns …' }).click()
      await page.getByRole('button', { name: 'Delete Blocked' }).click()
      await page.getByLabel('Missions of Blocked go to').waitFor()
    },
  ),
  ofDialog('board-deleted', 'What was deleted can be restored.', '', async (page) => {
    await page.getByRole('button', { name: 'More of this board' }).click()
    await page.getByRole('menuitem', { name: 'Deleted missions …' }).click()
    await page.getByText('None that could be restored.').waitFor()
  }),
]

/** The last of the missions that are not begun has nothing to be said of it but its title. */
async function openByMenu(page: Page, item: string, dialog: RegExp): Promise<void> {
  const card = page.locator('[data-card]').filter({ hasText: 'Dark icons' })
  await card.hover()
  await card.getByRole('button', { name: /^What to do with / }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

/** What looks like other pages. */
function ofDialog(...given: Parameters<typeof ofBoard>): ShownPage {
  return { ...ofBoard(...given), hasNoPicture: true }
}

function ofBoard(
  name: string,
  about: string,
  search: string,
  open: (page: Page) => Promise<unknown>,
): ShownPage {
  return {
    name,
    at: '/w/:workspace/p/:project',
    about,
    isSignedIn: true,
    async open(page: Page, scene: PageScene) {
      const { slug } = await boardToLookAt(scene.world)
      await goTo(page, scene, `/p/${slug}${search}`)
      await page.locator('[data-card]').filter({ hasText: 'Dark icons' }).waitFor()
      await open(page)
    },
  }
}
