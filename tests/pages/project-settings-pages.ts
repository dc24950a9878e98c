import type { Page } from 'playwright-core'
import { editLaunch, partOf, settingsToLookAt } from '../web/settings-scene.ts'
import { goTo } from './go-to.ts'
import type { ShownPage } from './shown-page.ts'

/** The settings of a project, and what can be open on them. */
export const projectSettingsPages: readonly ShownPage[] = [
  ofSettings(
    'project-settings',
    'A project: its name and columns, its repositories with the runners that have them, and what its runs are started with.',
    async (page) => {
      await page.getByText('Each runner refuses this launch').waitFor()
    },
  ),
  ofSettings(
    'project-launch',
    'What its runs are started with, next to what a launch would be now and once it is saved.',
    async (page) => {
      const form = await editLaunch(page)
      const check = form.getByRole('group', { name: 'check test' })
      await check.getByLabel('Command').fill('npm run test:all')
      await form.getByLabel('Command in front of the agent').fill('')
      await page.getByText('Then: test: npm run test:all').waitFor()
    },
  ),
  ofDialog('project-edit', 'What a project is called.', async (page) => {
    await page.keyboard.press('e')
    await page.getByRole('form', { name: 'The project' }).waitFor()
  }),
  ofDialog('project-launch-refused', 'What is refused says so at its field.', async (page) => {
    const form = await editLaunch(page)
    await form.getByRole('button', { name: 'Add a variable' }).click()
    await page.keyboard.type('SVC_TMPDIR')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('this name is set by the runner').first().waitFor()
  }),
  ofDialog('project-column-rename', 'A column is named where it stands.', async (page) => {
    await partOf(page, 'Columns').getByRole('button', { name: 'Rename Done' }).click()
    await page.getByLabel('Name of Done').waitFor()
  }),
  ofDialog('project-resource-new', 'A repository that runs work in or read.', async (page) => {
    await page.getByRole('button', { name: 'Add a resource' }).click()
    await page.getByRole('dialog', { name: 'Add a resource' }).waitFor()
  }),
  ofDialog('project-resource-link', 'A copied command, which waits for a runner.', async (page) => {
    await page.getByRole('button', { name: 'Link a checkout: guides' }).click()
    await page.getByText('Waiting for a runner that has it.').waitFor()
  }),
  ofDialog('project-resource-change', 'How a repository is linked.', async (page) => {
    await page.getByRole('button', { name: 'Change guides' }).click()
    await page.getByRole('dialog', { name: 'Change guides' }).waitFor()
  }),
  ofDialog('project-resource-remove', 'A removal says what it does not do.', async (page) => {
    await page.getByRole('button', { name: 'Remove guides' }).click()
    await page.getByRole('dialog', { name: 'Remove guides' }).waitFor()
  }),
]

function ofDialog(...given: Parameters<typeof ofSettings>): ShownPage {
  return { ...ofSettings(...given), hasNoPicture: true }
}

function ofSettings(
  name: string,
  about: string,
  open: (page: Page) => Promise<unknown>,
): ShownPage {
  return {
    name,
    at: '/w/:workspace/p/:project/settings',
    about,
    isSignedIn: true,
    async open(page, scene) {
      const { slug } = await settingsToLookAt(scene.world)
      await goTo(page, scene, `/p/${slug}/settings`)
      await page.getByRole('list', { name: 'Runners with shop' }).waitFor()
      await page.getByRole('list', { name: 'Columns' }).waitFor()
      await open(page)
    },
  }
}
