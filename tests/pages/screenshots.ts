/** `npm run screenshots`: takes the pictures that docs/pages.md shows. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '@svc/testing/browser'
import { openThrowawayDatabase } from '../hunt/database.ts'
import { pictureOf, schemes, shownPages, widths } from './pages.ts'
import { openPages } from './scene.ts'
import { smallPng } from './small-png.ts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

await using database = await openThrowawayDatabase()
await using scene = await openPages(database.url)
await using browser = await openBrowser()

rmSync(`${docs}/screenshots`, { recursive: true, force: true })
mkdirSync(`${docs}/screenshots`, { recursive: true })
for (const { name, isSignedIn, open } of shownPages) {
  await using context = await scene.window(browser, isSignedIn)
  const page = await context.newPage()
  await open(page, scene)
  for (const scheme of schemes) {
    for (const [device, width] of Object.entries(widths)) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: device === 'phone' ? 740 : 800 })
      const picture = await page.screenshot({ fullPage: true })
      writeFileSync(`${docs}/${pictureOf({ name, device, scheme })}`, smallPng(picture))
    }
  }
}
