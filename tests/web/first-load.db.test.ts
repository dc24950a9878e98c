import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Response } from 'playwright-core'
import { expect } from 'vitest'
import { builtWebApp } from './built.ts'
import { expectLive, slugOf, test } from './scene.ts'

/** What an answer costs on its way to a browser: a built file as it lies there, anything else as it was sent. */
async function bytesOf(response: Response, folder: string): Promise<number> {
  const { pathname } = new URL(response.url())
  const built = join(folder, `${pathname}.br`)
  if (pathname.startsWith('/assets/') && existsSync(built)) return statSync(built).size
  // it does not end
  if (pathname.endsWith('/feed')) return 0
  return (await response.request().sizes()).responseBodySize
}

test('the first page is there after 8 requests and 180 KiB at most, menus with it', async ({
  openApp,
  scene,
}) => {
  const folder = await builtWebApp()
  const { page } = await openApp()
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  const menus = page.waitForResponse(/\/assets\/menu-parts/)
  await page.goto(`/w/${await slugOf(scene)}`)
  await expectLive(page)
  await page.getByText('Nothing needs you. No run is under way.').waitFor()
  const beforeMenus = responses.filter((response) => !response.url().includes('menu-parts'))
  await menus
  const sizes = await Promise.all(responses.map((response) => bytesOf(response, folder)))
  const paths = beforeMenus.map((response) => new URL(response.url()).pathname)
  expect(paths.slice(8)).toEqual([])
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(180 * 1024)
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
