import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

/** The page of a run is there, and follows what changes. */
export async function openRun(
  page: Page,
  scene: PageScene,
  id: string,
  search = '',
): Promise<void> {
  await goTo(page, scene, `/runs/${id}${search}`)
  await page.getByRole('region', { name: 'Log of the run' }).waitFor()
}
