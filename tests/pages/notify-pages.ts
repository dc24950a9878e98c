import { goTo } from './go-to.ts'
import type { ShownPage } from './shown-page.ts'

/** Where notifications of the browser are turned on, or said to be impossible. */
export const notifyPages: readonly ShownPage[] = [
  {
    name: 'notifications',
    at: '/w/:workspace/projects',
    about: 'What the browser would show, and whether it does.',
    isSignedIn: true,
    hasNoPicture: true,
    async open(page, scene) {
      await goTo(page, scene, '/projects')
      await page.getByRole('button', { name: /^You, / }).click()
      await page.getByRole('menuitem', { name: 'Notifications' }).click()
      await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
    },
  },
]
