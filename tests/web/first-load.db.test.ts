import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Response } from 'playwright-core'
import { expect } from 'vitest'
import { builtWebApp } from './built.ts'
import { bytesOf } from './bytes-of.ts'
import { expectLive, slugOf, test } from './scene.ts'

test.for([
  { what: 'what needs a person', path: '', shown: 'No run is under way.', requests: 8 },
  { what: 'a board', path: '/p/first-load', shown: 'New mission', requests: 8 },
  // it is of two lists, and is opened once for a long time
  { what: 'a wall', path: '/wall', shown: 'Nothing needs anybody.', requests: 9 },
])(
  'the first page has all of its own after $requests requests, and 180 KiB at most with what comes then: $what',
  async ({ path, shown, requests }, { openApp, scene }) => {
    const { alice } = scene.world
    const named = { name: 'First load', slug: 'first-load' }
    await alice.call('createProject', named).catch(() => undefined)
    const folder = await builtWebApp()
    const { page } = await openApp()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    const menus = page.waitForResponse(/\/assets\/menu-parts/)
    await page.goto(`/w/${await slugOf(scene)}${path}`)
    await expectLive(page)
    await page.getByText(shown).first().waitFor()
    await menus
    const settledAt = await page.evaluate(
      `performance.timeOrigin + performance.getEntriesByName('svc:settled')[0].startTime`,
    )
    const before = responses.filter(
      (response) => response.request().timing().startTime < Number(settledAt),
    )
    const sizes = await Promise.all(responses.map((response) => bytesOf(response, folder)))
    const paths = before.map((response) => new URL(response.url()).pathname)
    expect(paths.slice(requests)).toEqual([])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(180 * 1024)
  },
)

test('no file of the app brings the schemas of the contracts with it', async () => {
  const folder = join(await builtWebApp(), 'assets')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(1)
  const withZod = scripts.filter((name) =>
    /ZodError|safeParse/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(withZod).toEqual([])
})
