import { expect } from 'vitest'
import { builtWebApp } from './built.ts'
import { filledPages } from './filled-scene.ts'
import { type Cost, bytesIn, costsOf } from './page-costs.ts'
import { readsOnce } from './reads-once.ts'
import { slugOf, test } from './scene.ts'

/** In KiB. A mission is over by what lists scroll by, which is in the first file so that a board makes no further request. */
const bounds: Readonly<Record<string, number>> = { first: 180, mission: 190, further: 70 }

test('a page with much to show is 180 KiB at most as the first one, a mission 190, and 70 KiB as a further one', async ({
  openApp,
  scene,
  goTo,
}) => {
  const folder = await builtWebApp()
  const pages = await filledPages(scene.world)
  const slug = await slugOf(scene)
  const open = async (path: string) => {
    const { page } = await openApp()
    await readsOnce(page, scene)
    // is read when the page has all that it shows
    const later = page.waitForResponse(/\/api\/inbox-items/)
    const costs = costsOf(page)
    await goTo(page, path)
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
