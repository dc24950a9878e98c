import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtWebApp } from './built.ts'
import { filledPages } from './filled-scene.ts'
import { type Cost, bytesIn, costsOf } from './page-costs.ts'
import { expectLive, slugOf, test } from './scene.ts'

/** In KiB. A mission is over by what lists scroll by, which is in the first file so that a board makes no further request. */
const bounds: Readonly<Record<string, number>> = { first: 180, mission: 187, further: 70 }

test.for([
  { what: 'what needs a person', path: '', shown: 'No run is under way.', requests: 8 },
  { what: 'a board', path: '/p/first-load', shown: 'New mission', requests: 8 },
  // it is of two lists, and is opened once for a long time
  { what: 'a wall', path: '/wall', shown: 'Nothing needs anybody.', requests: 9 },
])(
  'the first page has all of its own after $requests requests: $what',
  async ({ path, shown, requests }, { openApp, scene }) => {
    const { alice } = scene.world
    const named = { name: 'First load', slug: 'first-load' }
    await alice.call('createProject', named).catch(() => undefined)
    const { page } = await openApp()
    const costs = costsOf(page)
    await page.goto(`/w/${await slugOf(scene)}${path}`)
    await expectLive(page)
    await page.getByText(shown).first().waitFor()
    await page.waitForFunction(`performance.getEntriesByName('svc:settled').length > 0`)
    const all = await costs.all(await builtWebApp())
    const early = all.filter(({ isEarly }) => isEarly).map(({ what }) => what)
    expect(early.slice(requests)).toEqual([])
  },
)

test('a page with much to show is 180 KiB at most as the first one, a mission 187, and 70 KiB as a further one', async ({
  openApp,
  scene,
}) => {
  const folder = await builtWebApp()
  const pages = await filledPages(scene.world)
  const slug = await slugOf(scene)
  const open = async (path: string) => {
    const { page } = await openApp()
    // is read when the page has all that it shows
    const later = page.waitForResponse(/\/api\/inbox-items/)
    const costs = costsOf(page)
    await page.goto(`/w/${slug}${path}`)
    await expectLive(page)
    await later
    await expect.poll(costs.pending).toBe(0)
    return { page, costs }
  }
  const tooMuch: unknown[] = []
  const judge = (what: string, costs: readonly Cost[], most = 0) => {
    if (bytesIn(costs) > most * 1024) tooMuch.push({ what, bytes: bytesIn(costs), costs })
  }
  for (const [name, path] of Object.entries(pages)) {
    const first = await open(path)
    judge(
      `${name} as the first page`,
      await first.costs.all(folder),
      bounds[name] ?? bounds['first'],
    )
    const { page } = await open('/projects')
    const further = costsOf(page)
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/w/${slug}${path}`)})`)
    await page.locator('main h1').filter({ hasNotText: 'Projects' }).waitFor()
    await expect.poll(further.pending).toBe(0)
    judge(`${name} as a further page`, await further.all(folder), bounds['further'])
  }
  expect(tooMuch).toEqual([])
})

test('no file of the app brings the schemas of the contracts with it', async () => {
  const folder = join(await builtWebApp(), 'assets')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(1)
  const withZod = scripts.filter((name) =>
    /ZodError|safeParse/.test(readFileSync(join(folder, name), 'utf8')),
  )
  expect(withZod).toEqual([])
})
