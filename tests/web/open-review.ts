import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

/** The page of what a mission brought is there, and follows what changes. */
export async function openReview(
  page: Page,
  scene: PageScene,
  { displayId }: { displayId: string },
  search = '',
): Promise<void> {
  await goTo(page, scene, `/m/${displayId}/review${search}`)
  await page.getByRole('heading', { name: /^Files/ }).waitFor()
}
