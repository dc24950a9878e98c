import type { Person } from '@svc/domain/testing/people'
import type { Page } from 'playwright-core'
import { signInCookies } from '../pages/scene.ts'
import { expectLive, slugOf, test as base } from './scene.ts'

/** With windows of anybody, each a browser of its own. */
export const test = base
  .extend('windowOf', ({ windows, scene }) => async (person: Person): Promise<Page> => {
    const { userId } = await person.actor()
    const cookies = await signInCookies(scene.world, { userId, baseUrl: scene.baseUrl })
    return windows(async (browser) => {
      const context = await browser.newContext({ baseURL: scene.baseUrl })
      await context.addCookies(cookies)
      return context
    })
  })
  .extend('goTo', ({ scene }) => async (page: Page, path: string): Promise<void> => {
    await page.goto(`/w/${await slugOf(scene)}${path}`)
    await expectLive(page)
    await page.locator('main h1').first().waitFor()
  })
