import type { Mission } from '@svc/contracts/mission'
import type { World } from '@svc/domain/testing/open-world'
import type { Page } from 'playwright-core'
import { bigReview, cutFile } from '../web/big-review-scene.ts'
import { goTo } from './go-to.ts'
import type { PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

const shownToAll = new WeakMap<World, Promise<Mission>>()

/** More files than one sees at once: most of them without a reason. */
async function goToReview(page: Page, scene: PageScene, search = ''): Promise<void> {
  const { world } = scene
  const known = shownToAll.get(world) ?? bigReview(world, 300)
  shownToAll.set(world, known)
  const { displayId } = await known
  await goTo(page, scene, `/m/${displayId}/review${search}`)
  await page.getByRole('searchbox', { name: 'Find a file' }).waitFor()
}

export const reviewPages: readonly ShownPage[] = [
  {
    name: 'review-find',
    at: '/w/:workspace/m/:mission/review',
    about: 'A file of many is found by the words of its path.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene)
      await page.getByRole('searchbox', { name: 'Find a file' }).fill('part-7 file')
      await page.getByText('of 300 found').waitFor()
    },
  },
  {
    name: 'review-cut',
    at: '/w/:workspace/m/:mission/review',
    about: 'What is not kept of a file is shown by a command.',
    isSignedIn: true,
    async open(page, scene) {
      await goToReview(page, scene, `?f=${cutFile}`)
      await page.getByText('Its lines are cut here').waitFor()
    },
  },
]
