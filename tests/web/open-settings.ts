import type { Project } from '@svc/contracts/project'
import type { Page } from 'playwright-core'
import type { PageScene } from '../pages/scene.ts'
import { expectLive, slugOf } from './scene.ts'

export async function openSettings(
  page: Page,
  scene: PageScene,
  { slug }: Pick<Project, 'slug'>,
): Promise<void> {
  await page.goto(`/w/${await slugOf(scene)}/p/${slug}/settings`)
  await expectLive(page)
  await page.getByRole('heading', { name: 'Launch settings' }).waitFor()
}
