import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtWebApp } from './built.ts'
import { bytesIn, costsOf } from './page-costs.ts'
import { readsOnce } from './reads-once.ts'
import { test } from './scene.ts'

test.for([
  { what: 'what needs a person', path: '', shown: 'No run is under way.', requests: 8 },
  { what: 'a board', path: '/p/first-load', shown: 'New mission', requests: 8 },
  // it is of two lists, and is opened once for a long time
  { what: 'a wall', path: '/wall', shown: 'Nothing needs anybody.', requests: 9 },
])(
  'the first page has all of its own after $requests requests, and 180 KiB at most: $what',
  async ({ path, shown, requests }, { openApp, scene, goTo }) => {
    const { alice } = scene.world
    const named = { name: 'First load', slug: 'first-load' }
    await alice.call('createProject', named).catch(() => undefined)
    const { page } = await openApp()
    await readsOnce(page, scene)
    const costs = costsOf(page)
    await goTo(page, path)
    await page.getByText(shown).first().waitFor()
    await expect
      .poll(() => page.evaluate(`performance.getEntriesByName('svc:settled').length > 0`))
      .toBe(true)
    const all = await costs.all(await builtWebApp())
    const early = all.filter(({ isEarly }) => isEarly).map(({ what }) => what)
    expect(early.slice(requests)).toEqual([])
    expect(bytesIn(all)).toBeLessThanOrEqual(180 * 1024)
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
