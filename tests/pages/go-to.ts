import type { Page } from 'playwright-core'
import type { PageScene } from './scene.ts'

/** To a page of the web app by its path below the workspace; it is there, and follows what changes. */
export async function goTo(page: Page, { world }: PageScene, path: string): Promise<void> {
  const { workspace } = await world.alice.call('getMe', {})
  await page.goto(`/w/${workspace.slug}${path}`)
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
}
