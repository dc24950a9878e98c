import { othersHaveEnded } from '@svc/domain/testing/others-have-ended'
import type { Page } from 'playwright-core'
import type { PageScene } from '../pages/scene.ts'

/** `feedWaitMs` of the web app's data/workspace.ts. */
const feedWaitMs = 1_500

/**
 * Called before a page is opened whose reads are counted: it reads nothing a second time. A page that has waited that long
 * for its feed reads without it, and once more when it begins.
 */
export async function readsOnce(page: Page, { world }: Pick<PageScene, 'world'>): Promise<void> {
  await page.addInitScript(`(() => {
    const given = window.setTimeout
    window.setTimeout = (work, ms, ...more) =>
      given.call(window, work, ms === ${feedWaitMs} ? 600_000 : ms, ...more)
  })()`)
  // nor is it told of what was done before: a feed begins at the oldest transaction of the whole server
  await othersHaveEnded(world)
}
