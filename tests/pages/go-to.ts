import type { Page } from 'playwright-core'
import type { PageScene } from './scene.ts'

type Place = Pick<PageScene, 'world'>

/** To a page of the web app by its path below the workspace; it is there, and follows what changes. */
export async function goTo(page: Page, place: Place, path: string): Promise<void> {
  await page.goto(`/w/${await slugOf(place)}${path}`)
  await expectLive(page)
  await page.locator('main h1').first().waitFor()
  await page.evaluate(painted)
}

/** A browser drops the keys that are pressed before it has shown the first frame of a page. */
const painted = `new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done))
  setTimeout(done, 1_000)
}).then(() => undefined)`

/** The page has found its way and follows the feed. */
export async function expectLive(page: Page): Promise<void> {
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
}

export async function slugOf({ world }: Place): Promise<string> {
  const { workspace } = await world.alice.call('getMe', {})
  return workspace.slug
}
