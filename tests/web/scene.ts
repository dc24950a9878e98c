import type { WebApp } from '@svc/api/web-app'
import { browserOfFile, windowsOfTest } from '@svc/testing/browser'
import { test as base } from '@svc/testing/database'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type PageScene, openPages } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'

/** A window of somebody who is signed in, and what its pages did that they must never do. */
export interface AppWindow {
  page: Page
  /** Violations of the policy, errors that nobody caught, and requests that left the origin. */
  misdeeds: string[]
}

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

/** The page has found its way and follows the feed. */
export async function expectLive(page: Page): Promise<void> {
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
}

export async function slugOf({ world }: Pick<PageScene, 'world'>): Promise<string> {
  const { workspace } = await world.alice.call('getMe', {})
  expect(workspace.slug).not.toBe('')
  return workspace.slug
}
