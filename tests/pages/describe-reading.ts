import axe, { type AxeResults, type RunOptions } from 'axe-core'
import { browserOfFile, windowsOfTest } from '@svc/testing/browser'
import { test as base } from '@svc/testing/database'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { builtWebApp } from '../web/built.ts'
import { shownPages } from './pages.ts'
import { openPages, type PageScene } from './scene.ts'
import type { ShownPage } from './shown-page.ts'

export const test = base
  .extend('browser', { scope: 'file' }, browserOfFile)
  .extend('scene', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const folder = await builtWebApp()
    const webApp = () => ({ state: 'built', folder }) as const
    const scene = await openPages(database.connectionString, { webApp })
    onCleanup(() => scene[Symbol.asyncDispose]())
    return scene
  })
  .extend('windows', windowsOfTest)
  .extend('windowOf', ({ windows, scene }) => (isSignedIn: boolean): Promise<Page> => {
    return windows((browser) => scene.window(browser, isSignedIn))
  })

/** What a page complains of as it is shown, and what it asks of others than the service; where it leads is not asked. */
export function listenTo(page: Page, { baseUrl }: PageScene): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (request.isNavigationRequest()) return
    if (!url.startsWith(`${baseUrl}/`) && !url.startsWith('data:')) complaints.push(url)
  })
  return complaints
}

/** What axe looks at: all that it knows, or what another colour scheme changes. */
type Looks = 'all' | 'colours'

/** Of the way in which a page is shown, its other rules see no colour. */
const axeOptions: Readonly<Record<Looks, RunOptions>> = {
  all: { resultTypes: ['violations'] },
  colours: { resultTypes: ['violations'], runOnly: ['color-contrast'] },
}

/** What axe finds wrong with the page as it is shown now. */
async function judge(page: Page, looks: Looks): Promise<string[]> {
  const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(axeOptions[looks])})`)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

interface Shown {
  colorScheme: 'light' | 'dark'
  width: number
  /** Without it the page must only fit. */
  axe?: Looks
}

/** Its address, with a name in place of each part that changes: `/w/:workspace/m/:mission`. */
export function placeOf(page: Page): string {
  return new URL(page.url()).pathname
    .replace(/^\/w\/[^/]+/, '/w/:workspace')
    .replace(/\/m\/[^/]+/, '/m/:mission')
    .replace(/\/p\/[^/]+/, '/p/:project')
    .replace(/\/runs\/[^/]+/, '/runs/:run')
    .replace(/\/webhooks\/[^/]+/, '/webhooks/:webhook')
    .replace(/(?<=\/:webhook\/)[^/]+/, ':delivery')
}

/** The page that is open fits, and axe finds nothing wrong with it, in each of these ways. */
export async function expectReadable(page: Page, ways: readonly Shown[]): Promise<void> {
  // a text is run as it is, which the policy of the page does not forbid to a debugger
  await page.evaluate(axe.source)
  for (const { colorScheme, width, axe: looks } of ways) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const wrong = looks === undefined ? [] : await judge(page, looks)
    expect({ colorScheme, width, wrong }).toMatchObject({ wrong: [] })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}

/** Each page as it is shown in each of these ways. */
export function describeReading(
  how: string,
  ways: readonly Shown[],
  pages: readonly ShownPage[] = shownPages,
) {
  test.for(pages)(
    `can be read by everybody, ${how}: $name`,
    async ({ at, isSignedIn, open }, { scene, windowOf }) => {
      const page = await windowOf(isSignedIn)
      const complaints = listenTo(page, scene)
      await open(page, scene)
      expect(placeOf(page)).toBe(at)
      await expectReadable(page, ways)
      // a refusal is one by its status, which the browser notes
      const refused = /^Failed to load resource: .* 40[0349] /
      expect(complaints.filter((text) => !refused.test(text))).toEqual([])
    },
  )
}
