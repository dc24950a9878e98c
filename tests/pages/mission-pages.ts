import type { Locator, Page } from 'playwright-core'
import { missionToLookAt } from '../web/mission-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** The page of a mission in the middle of its work, and what can be open on it. */
export const missionPages: readonly ShownPage[] = [
  ofMission(
    'mission',
    'A mission: what an agent asks, what to do now, its objectives, and what happens as it happens.',
    () => Promise.resolve(),
  ),
  ofMission(
    'mission-objective',
    'An objective that is being written, and the files that go with it.',
    async (page) => {
      await openDraft(page)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('textbox', { name: 'Instruction' }).waitFor()
    },
  ),
  ofMission('mission-more', 'What agents and people keep with a mission.', async (page) => {
    for (const part of [/^Artifacts/, /^Shared state/, /^Branches/, /^Deleted/]) {
      await page.locator('summary').filter({ hasText: part }).click()
    }
    await page.getByText('theme.names', { exact: true }).waitFor()
    await page.getByText('None that could be restored.').waitFor()
  }),
  ofMission(
    'launch',
    'What a launch would be before it is asked for, who could take it, and why it would be refused.',
    async (page) => {
      await openDraft(page)
      await page.keyboard.press('l')
      const dialog = await dialogOf(page, /^Launch web:1/)
      await dialog.getByRole('region', { name: 'Who can take it' }).waitFor()
      await dialog.getByRole('button', { name: 'Let them run together' }).waitFor()
    },
  ),
  ofDialog('call-off', 'A run is called off with a reason.', async (page) => {
    await page.getByRole('button', { name: /^Theme switch \(/ }).click()
    await page.keyboard.press('x')
    await dialogOf(page, /^Call web:1/)
  }),
  ofDialog(
    'close-over-runs',
    'A mission is closed over what runs by who says so.',
    async (page) => {
      await page.keyboard.press('m')
      await page.getByRole('menuitem', { name: 'Done' }).click()
      await dialogOf(page, 'Move to Done')
    },
  ),
  ofDialog('mission-budget', 'What a mission may use.', async (page) => {
    await page.getByRole('button', { name: 'More of this mission' }).click()
    await page.getByRole('menuitem', { name: 'Budget and settings' }).click()
    await dialogOf(page, 'Budget and settings')
  }),
  ofDialog('queue-objective', 'Which delivery launches an objective.', async (page) => {
    await openDraft(page)
    await page.getByRole('button', { name: 'Queue …' }).click()
    await (await dialogOf(page, /^Queue web:1/)).getByLabel('Place').waitFor()
  }),
  ofDialog('delete-objective', 'Nothing is deleted before its list was seen.', async (page) => {
    await openDraft(page)
    await page.getByRole('button', { name: 'Delete …' }).click()
    await (await dialogOf(page, /^Delete web:1/)).getByText('Write the docs').waitFor()
  }),
  ofDialog('remove-attachment', 'A file is removed by who says so.', async (page) => {
    await openDraft(page)
    await page.getByRole('button', { name: 'Remove sketch.png' }).click()
    await dialogOf(page, 'Remove sketch.png')
  }),
  ofDialog('new-artifact', 'A text or a link that is kept.', async (page) => {
    await page
      .locator('summary')
      .filter({ hasText: /^Artifacts/ })
      .click()
    await page.getByRole('button', { name: 'Artifact', exact: true }).click()
    await dialogOf(page, 'New artifact')
  }),
  ofDialog('shared-key', 'A value that agents and people share.', async (page) => {
    await page.locator('summary').filter({ hasText: 'Shared state' }).click()
    await page.getByRole('button', { name: 'Edit theme.names' }).click()
    await dialogOf(page, 'Edit theme.names')
  }),
]

/** One of its dialogs, which look alike. */
function ofDialog(...given: Parameters<typeof ofMission>): ShownPage {
  return { ...ofMission(...given), hasNoPicture: true }
}

function ofMission(name: string, about: string, open: (page: Page) => Promise<unknown>): ShownPage {
  return {
    name,
    at: '/w/:workspace/m/:mission',
    about,
    isSignedIn: true,
    async open(page: Page, scene: PageScene) {
      const { mission } = await missionToLookAt(scene.world)
      await goTo(page, scene, `/m/${mission.displayId}`)
      await page.getByText('asks for').waitFor()
      await page
        .getByText('Claimed by')
        .first()
        .or(page.getByText('of this minute').first())
        .first()
        .waitFor()
      await open(page)
    },
  }
}

async function openDraft(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Write the docs \(/ }).click()
  await page.getByRole('button', { name: /^Download sketch.png/ }).waitFor()
}

async function dialogOf(page: Page, name: string | RegExp): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return dialog
}
