import type { Project } from '@svc/contracts/project'
import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

export async function openSettings(
  page: Page,
  scene: PageScene,
  { slug }: Pick<Project, 'slug'>,
): Promise<void> {
  await goTo(page, scene, `/p/${slug}/settings`)
  await page.getByRole('heading', { name: 'Launch settings' }).waitFor()
}
