import type { Page } from 'playwright-core'
import type { PageScene } from '../pages/scene.ts'
import { expectLive, slugOf } from './scene.ts'

export async function openRunners(page: Page, scene: PageScene): Promise<void> {
  await page.goto(`/w/${await slugOf(scene)}/runners`)
  await expectLive(page)
  await page.getByRole('heading', { name: 'Runners' }).waitFor()
}

export const rowOf = (page: Page, label: string) =>
  page.locator('[data-runner]').filter({ has: page.getByRole('button', { name: label }) })
