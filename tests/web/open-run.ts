import type { Page } from 'playwright-core'
import type { PageScene } from '../pages/scene.ts'
import { expectLive, slugOf } from './scene.ts'

/** The page of a run is there, and follows what changes. */
export async function openRun(
  page: Page,
  scene: PageScene,
  id: string,
  search = '',
): Promise<void> {
  await page.goto(`/w/${await slugOf(scene)}/runs/${id}${search}`)
  await expectLive(page)
  await page.getByRole('region', { name: 'Log of the run' }).waitFor()
}
