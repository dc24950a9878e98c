import type { Page } from 'playwright-core'
import { queuesToLookAt } from '../web/queues-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

/** The run queues of a project and the runners of a workspace, with what can be open over them. */
export const operatePages: readonly ShownPage[] = [
  ofQueues('queues', 'What a project launches by itself, why not yet, and who ends that.', () =>
    Promise.resolve(),
  ),
  ofQueues('queues-new', 'A queue begins with a name.', async (page) => {
    await page.getByRole('button', { name: 'New queue' }).click()
    await page.getByRole('dialog', { name: 'New queue' }).waitFor()
  }),
  ofQueues('queues-delete', 'What is in a queue goes to another one.', async (page) => {
    await page.getByRole('button', { name: 'What to do with the queue Small things' }).click()
    await page.getByRole('menuitem', { name: 'Delete …' }).click()
    await page.getByRole('dialog', { name: 'Delete Small things' }).waitFor()
  }),
  ofRunners(
    'runners',
    'The machines that agents run on, and what only they can do.',
    async (page) => {
      const row = await openFirst(page)
      await row.getByText('On its machine').click()
      await row.getByLabel('Folder of the repository there').waitFor()
    },
  ),
  ofRunners('runners-add', 'A copied command, which waits for its runner.', async (page) => {
    await page.getByRole('button', { name: 'Add a runner' }).click()
    await page.getByText('Waiting for the runner.').waitFor()
  }),
  ofRunners('runners-remove', 'A removal says what it does not do.', async (page) => {
    await (await openFirst(page)).getByRole('button', { name: 'Remove …' }).click()
    await page.getByRole('dialog', { name: /^Remove / }).waitFor()
  }),
]

/** Its details are there. */
async function openFirst(page: Page) {
  const row = page.locator('[data-runner]').first()
  const button = row.getByRole('button').first()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await row.getByText('Takes launches of').waitFor()
  return row
}

function ofQueues(name: string, about: string, open: (page: Page) => Promise<unknown>): ShownPage {
  return {
    name,
    at: '/w/:workspace/p/:project/queues',
    about,
    isSignedIn: true,
    ...(name !== 'queues' && { hasNoPicture: true as const }),
    async open(page: Page, scene: PageScene) {
      const { project } = await queuesToLookAt(scene.world)
      await goTo(page, scene, `/p/${project.slug}/queues`)
      await page.getByText('Theme switch').waitFor()
      await open(page)
    },
  }
}

function ofRunners(name: string, about: string, open: (page: Page) => Promise<unknown>): ShownPage {
  return {
    name,
    at: '/w/:workspace/runners',
    about,
    isSignedIn: true,
    ...(name !== 'runners' && { hasNoPicture: true as const }),
    async open(page: Page, scene: PageScene) {
      await queuesToLookAt(scene.world)
      await goTo(page, scene, '/runners')
      await page.getByRole('list', { name: 'Runners' }).waitFor()
      await open(page)
    },
  }
}
