import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

/** The page of a mission is there, and follows what changes. */
export async function openMission(
  page: Page,
  scene: Pick<PageScene, 'world'>,
  displayId: string,
): Promise<void> {
  await goTo(page, scene, `/m/${displayId}`)
  await page.getByRole('heading', { name: 'Objectives' }).waitFor()
}

/** The state of an objective as its row says it. */
export function objectiveRow(page: Page, title: string, state: string) {
  return page.getByRole('button', { name: `${title} (${state})`, exact: true })
}

/** The titles of the objectives, in the order of the page. */
export function objectiveTitles(page: Page): Promise<string[]> {
  return page.locator('[data-objective] button[aria-expanded] bdi').allInnerTexts()
}
