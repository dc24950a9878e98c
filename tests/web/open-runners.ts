import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'

export async function openRunners(page: Page, scene: PageScene): Promise<void> {
  await goTo(page, scene, '/runners')
  await page.getByRole('heading', { name: 'Runners' }).waitFor()
}

export const rowOf = (page: Page, label: string) =>
  page.locator('[data-runner]').filter({ has: page.getByRole('button', { name: label }) })
