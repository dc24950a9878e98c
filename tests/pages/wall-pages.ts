import { needsToLookAt } from '../web/needs-scene.ts'
import { goTo } from './go-to.ts'
import type { ShownPage } from './shown-page.ts'

const at = '/w/:workspace/wall'

/** The screen of a team: while there is much on it, and while there is nothing. */
export const wallPages: readonly ShownPage[] = [
  {
    name: 'wall',
    at,
    about: 'A screen that a team looks at: what waits, what runs, and how much there is of it.',
    isSignedIn: true,
    async open(page, scene) {
      await needsToLookAt(scene.world)
      await goTo(page, scene, '/wall?p=shop')
      await page.getByText('Keep the old cookie name').waitFor()
    },
  },
  {
    name: 'wall-empty',
    at,
    about: 'Nothing waits, and nothing runs.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      const { project } = await scene.world.missionWith([])
      await goTo(page, scene, `/wall?p=${project.slug}`)
      await page.getByText('Nothing needs anybody.').waitFor()
    },
  },
]
