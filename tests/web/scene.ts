import type { WebApp } from '@svc/api/web-app'
import { browserOfFile, windowsOfTest } from '@svc/testing/browser'
import type { Person } from '@svc/domain/testing/people'
import { test as base } from '@svc/testing/database'
import type { Page } from 'playwright-core'
import { goTo } from '../pages/go-to.ts'
import { type PageScene, openPages, signedInWindow } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'

export { expectLive, slugOf } from '../pages/go-to.ts'

/** A window of a browser of its own, and what its pages did that they must never do. */
export interface AppWindow {
  page: Page
  /** Violations of the policy, errors that nobody caught, and requests that left the origin. */
  misdeeds: string[]
}

/** With windows of alice, by `openApp`, and of anybody, by `windowOf`, also of who is not signed in. */
export const test = base
  .extend('browser', { scope: 'file' }, browserOfFile)
  .extend('scene', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const web: WebApp = { state: 'built', folder: await builtWebApp() }
    const scene = await openPages(database.connectionString, { webApp: () => web })
    onCleanup(() => scene[Symbol.asyncDispose]())
    return scene
  })
  .extend('windows', windowsOfTest)
  .extend('openApp', ({ windows, scene }) => async (): Promise<AppWindow> => {
    const page = await windows((browser) => scene.window(browser, true))
    return { page, misdeeds: await watch(page, scene) }
  })
  .extend('windowOf', ({ windows, scene }) => async (person?: Person): Promise<AppWindow> => {
    const { world, baseUrl } = scene
    const userId = person && (await person.actor()).userId
    const page = await windows((browser) =>
      userId === undefined
        ? scene.window(browser, false)
        : signedInWindow(browser, world, { userId, baseUrl }),
    )
    return { page, misdeeds: await watch(page, scene) }
  })
  .extend('goTo', ({ scene }) => async (page: Page, path: string): Promise<void> => {
    await goTo(page, scene, path)
  })

/** What the page does from now on that it must never do. */
export async function watch(page: Page, { baseUrl }: PageScene): Promise<string[]> {
  const misdeeds: string[] = []
  page.on('pageerror', (error) => misdeeds.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseUrl}/`) && !url.startsWith('data:')) misdeeds.push(url)
  })
  page.on('dialog', (dialog) => {
    misdeeds.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.text().startsWith('svc-violation ')) misdeeds.push(message.text())
  })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    console.info('svc-violation', event.violatedDirective, event.blockedURI, event.sample)
  })`)
  return misdeeds
}
