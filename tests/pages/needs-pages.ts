import { needsToLookAt } from '../web/needs-scene.ts'
import { goTo } from './go-to.ts'
import type { ShownPage } from './shown-page.ts'

/** What needs a person: while much waits, while nothing does, and one of them launched from its row. */
export const needsPages: readonly ShownPage[] = [
  {
    name: 'needs',
    at: '/w/:workspace',
    about: 'What waits for a person, agents first, and what is under way below.',
    isSignedIn: true,
    async open(page, scene) {
      await needsToLookAt(scene.world)
      await goTo(page, scene, '?project=shop')
      await page.getByText('Keep the old cookie name').waitFor()
      await page.getByRole('region', { name: 'Running now' }).waitFor()
    },
  },
  {
    name: 'needs-nothing',
    at: '/w/:workspace',
    about: 'Nothing waits: what is under way is said in a sentence.',
    isSignedIn: true,
    async open(page, scene) {
      const { project } = await scene.world.missionWith([])
      await goTo(page, scene, `?project=${project.slug}`)
      await page.getByText('Nothing needs you.').waitFor()
    },
  },
  {
    name: 'needs-launch',
    at: '/w/:workspace',
    about: 'What waits for a launch is launched from its row.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      await needsToLookAt(scene.world)
      await goTo(page, scene, '?project=shop')
      await page.getByRole('button', { name: 'Launch …' }).first().click()
      const dialog = page.getByRole('dialog', { name: /^Launch / })
      await dialog.getByLabel('Agent').waitFor()
    },
  },
]
