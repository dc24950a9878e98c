import { openBrowser } from '@svc/testing/browser'
import { openThrowawayDatabase } from '@svc/tests/soak/database'
import { type PageScene, openPages } from '@svc/tests/pages/scene'
import { type RoutedPage, routedPages } from '@svc/tests/web/routed-pages'
import { builtWebApp } from '@svc/tests/web/built'

export type Browser = Awaited<ReturnType<typeof openBrowser>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

/** The API with the web app as it is built, something to look at, and a real Chromium. */
export interface WebStage extends AsyncDisposable {
  scene: PageScene
  browser: Browser
  /** The folder of the built files. */
  folder: string
  /** All that the app has, with something to look at. */
  pages: readonly (RoutedPage & { path: string })[]
  /** A window of somebody who is signed in, in a browser of their own. */
  openPage: () => Promise<Page>
  /** The address of a path below the workspace. */
  addressOf: (path: string) => string
}

export async function openWebStage(): Promise<WebStage> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openThrowawayDatabase({ durable: true, clock: 'real' }))
  const folder = await builtWebApp()
  const webApp = () => ({ state: 'built' as const, folder })
  const scene = opened.use(await openPages(database.url, { webApp }))
  const browser = opened.use(await openBrowser())
  const { workspace } = await scene.world.alice.call('getMe', {})
  const routed = await routedPages(scene.world)
  const pages = routed.flatMap(({ key, path }) => (path === undefined ? [] : [{ key, path }]))
  const missing = routed.filter(({ path }) => path === undefined).map(({ key }) => key)
  // a page that nobody would miss in a table
  if (missing.length > 0) {
    throw new Error(`Say in tests/web/routed-pages.ts what there is to see at: ${missing.join()}.`)
  }
  const resources = opened.move()
  return {
    scene,
    browser,
    folder,
    pages,
    openPage: async () => (await scene.window(browser, true)).newPage(),
    addressOf: (path) => `/w/${workspace.slug}${path}`,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The page is there, follows the feed, and has asked for nothing for a while. */
export async function untilSettled(page: Page): Promise<void> {
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
  await untilQuiet(page, 1_000)
}

/** Something that a page follows may go on for as long as it is open. */
const mostMs = 15_000

export async function untilQuiet(page: Page, quietMs: number): Promise<void> {
  const begun = Date.now()
  let last = begun
  const hear = () => (last = Date.now())
  page.on('request', hear)
  page.on('requestfinished', hear)
  while (Date.now() - last < quietMs && Date.now() - begun < mostMs) {
    await page.waitForTimeout(50)
  }
  page.off('request', hear)
  page.off('requestfinished', hear)
}
