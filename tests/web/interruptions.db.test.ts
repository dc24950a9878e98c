import { serveApi } from '@svc/api/testing/serve-api'
import { openWorld } from '@svc/domain/testing/open-world'
import { freePort } from '@svc/testing/free-port'
import { highLimits } from '@svc/testing/high-limits'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { password, signInCookies } from '../pages/scene.ts'
import { builtWebApp } from './built.ts'
import { expectLive, slugOf, test } from './scene.ts'

const typed = 'Half of a sent'

async function typeProject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill(typed)
}

async function readTyped(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'New project' }).click()
  return page.getByLabel('Name').inputValue()
}

describe('what somebody has typed', () => {
  test('is there after a reload', async ({ openApp }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await typeProject(page)
    await page.reload()
    expect(await readTyped(page)).toBe(typed)
  })

  test('is there when they sign in again after their sign-in has ended', async ({
    openApp,
    scene,
  }) => {
    await scene.usePassword()
    const { page, misdeeds } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    await typeProject(page)
    await endAllSignIns(page, scene.baseUrl)
    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    await dialog.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill(scene.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`/w/${await slugOf(scene)}/projects`)
    expect(await readTyped(page)).toBe(typed)
    expect(misdeeds).toEqual([])
  })

  test('is named and discarded by a sign-out', async ({ openApp, scene }) => {
    await scene.usePassword()
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await typeProject(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^You, / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('One text that you have typed is not sent yet').waitFor()
    await page.getByRole('button', { name: 'Discard and sign out' }).click()
    await page.waitForURL('/signin')
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(typed)
    await page.goto('/')
    await page.waitForURL('/signin?next=%2F')
  })

  test('is sent once, however often it has to be sent', async ({ openApp, scene }) => {
    const { page } = await openApp()
    await page.goto('/w/here/projects')
    await expectLive(page)
    const name = 'Sent again'
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Name').fill(name)
    // carried out, and the answer is lost
    let lost = 0
    await page.route('**/api/projects', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      lost += 1
      return route.abort()
    })
    await page.getByRole('button', { name: 'Create' }).click()
    const again = page.getByRole('button', { name: 'Send again' })
    await again.waitFor()
    expect(lost).toBeGreaterThan(1)
    await page.unroute('**/api/projects')
    await again.click()
    await page.getByRole('dialog', { name: 'New project' }).waitFor({ state: 'detached' })
    const { projects } = await scene.world.alice.call('listProjects', {})
    expect(projects.filter((one) => one.name === name)).toHaveLength(1)
  })
})

/** As from another browser. */
async function endAllSignIns(page: Page, origin: string): Promise<void> {
  const answer = await page.request.delete('/api/me/sessions', { headers: { origin } })
  expect(answer.status()).toBe(204)
}

describe('an open page', () => {
  test('whose version misses a file loads itself anew, once', async ({ openApp, scene }) => {
    const { page } = await openApp()
    let loads = 0
    page.on('load', () => (loads += 1))
    let missing = true
    await page.route('**/assets/page-*.js', (route) =>
      missing ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
    )
    await page.goto(`/w/${await slugOf(scene)}/projects`)
    const problem = page.getByText('Something went wrong on this page')
    await problem.waitFor()
    expect(loads).toBe(2)
    missing = false
    await page.reload()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
  })

  test('outlives the service: it says so, keeps what it shows, and follows the next one', async ({
    windows,
    database,
  }) => {
    const port = String(await freePort())
    const folder = await builtWebApp()
    const serve = () =>
      serveApi(
        database.connectionString,
        { SVC_PORT: port, ...highLimits },
        { webApp: () => ({ state: 'built', folder }) },
      )
    await using world = await openWorld(database.connectionString)
    await world.alice.call('createProject', { name: 'Stays on screen' })
    await using first = await serve()
    const { userId } = await world.alice.actor()
    const cookies = await signInCookies(world, { userId, baseUrl: first.baseUrl })
    const page = await windows(async (browser) => {
      const context = await browser.newContext({ baseURL: first.baseUrl })
      await context.addCookies(cookies)
      return context
    })
    await page.goto('/w/here/projects')
    await expectLive(page)
    const list = page.getByRole('list', { name: 'Projects' })
    await list.getByText('Stays on screen').waitFor()
    await first[Symbol.asyncDispose]()
    await page.getByRole('status').getByText('reconnecting').waitFor()
    await list.getByText('Stays on screen').waitFor()
    await world.alice.call('createProject', { name: 'Made meanwhile' })
    await using _second = await serve()
    await expectLive(page)
    await list.getByText('Made meanwhile').waitFor()
  })

  test('shares one feed with the other tabs of its browser', async ({ openApp, scene }) => {
    const { page } = await openApp()
    const feeds: string[] = []
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/feed')) feeds.push(request.url())
    })
    await page.goto('/w/here/projects')
    await expectLive(page)
    const second = await page.context().newPage()
    await second.goto('/w/here/projects')
    await expectLive(second)
    await scene.world.alice.call('createProject', { name: 'Seen by both' })
    for (const tab of [page, second]) await tab.getByText('Seen by both').waitFor()
    expect(feeds).toHaveLength(1)
    await page.close()
    await scene.world.alice.call('createProject', { name: 'Seen by the one that is left' })
    await second.getByText('Seen by the one that is left').waitFor()
  })
})
