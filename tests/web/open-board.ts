import type { Locator, Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

/** The board of a project is there, and follows what changes. */
export async function openBoard(
  page: Page,
  scene: PageScene,
  project: { slug: string },
  search = '',
): Promise<void> {
  await goTo(page, scene, `/p/${project.slug}${search}`)
  await page.getByRole('search').waitFor()
}

export function columnOf(page: Page, label: string): Locator {
  return page.getByRole('region', { name: new RegExp(`^${label}, `) })
}

/** The card of a mission, in that column. */
export function cardIn(page: Page, label: string, title: string): Locator {
  return columnOf(page, label).locator('[data-card]').filter({ hasText: title })
}

/** The title on the card that has the focus. */
export function focusedCard(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement.closest('[data-card]')?.querySelector('bdi')?.textContent ?? ''`,
  )
}
