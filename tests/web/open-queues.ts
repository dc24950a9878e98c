import type { Locator, Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

export async function openQueues(
  page: Page,
  scene: PageScene,
  { slug }: { slug: string },
): Promise<void> {
  await goTo(page, scene, `/p/${slug}/queues`)
  await page.getByRole('heading', { name: 'Default' }).waitFor()
}

export function entryRow(page: Page, title: string): Locator {
  return page.locator('[data-sorted]').filter({ has: page.getByText(title, { exact: true }) })
}

/** Of all queues, in the order of the page. */
export async function entryTitles(page: Page): Promise<string[]> {
  return page
    .locator('[data-sorted]')
    .evaluateAll((rows) => rows.map((row) => row.querySelectorAll('bdi')[2]?.textContent ?? ''))
}
