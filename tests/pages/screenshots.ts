/** `npm run screenshots [-- <name> …]`: takes the pictures that docs/pages.md shows, or those of the pages that are named. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '@svc/testing/browser'
import { builtWebApp } from '../web/built.ts'
import { openThrowawayDatabase } from '../soak/database.ts'
import { pictureOf, schemes, picturedPages, widths } from './pages.ts'
import { openPages } from './scene.ts'
import { smallPng } from './small-png.ts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** Moments, secrets and codes are others each time: a picture is to change when its page does, and not before. */
const settle = `
  const given = new Map()
  const idOf = (id) => {
    if (!given.has(id)) given.set(id, ['k7qd', 'p2zz', '0hfd', 'm3aa', 'q0c1', 'zz01'][given.size] ?? id)
    return given.get(id)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    text.data = text.data
      .replace(/\\d+ \\w{3} \\d{4}, \\d\\d:\\d\\d UTC/g, '1 Jan 2027, 12:00 UTC')
      .replace(/(?<=:\\d+\\.)[0-9a-z]{4}\\b/g, idOf)
      .replace(/(?<=^\\.)[0-9a-z]{4}(?= ?$)/, idOf)
      .replace(/^\\d\\d:\\d\\d$/, '14:02')
      .replace(/^\\d+ min$/, '4 min')
      .replace(/(?<=svc\\w\\w_)\\w+/g, (secret) => '7sK2mQ9x'.repeat(9).slice(0, secret.length))
  }
  for (const code of document.querySelectorAll('.code code')) code.textContent = 'WDJB-MJHT'
`

await using database = await openThrowawayDatabase()
const folder = await builtWebApp()
await using scene = await openPages(database.url, {
  webApp: () => ({ state: 'built', folder }),
})
await using browser = await openBrowser()

const names = new Set(process.argv.slice(2))
const unknown = [...names].filter((given) => picturedPages.every(({ name }) => name !== given))
if (unknown.length > 0) throw new Error(`no page is named ${unknown.join(', ')}`)
if (names.size === 0) rmSync(`${docs}/screenshots`, { recursive: true, force: true })
mkdirSync(`${docs}/screenshots`, { recursive: true })
for (const { name, isSignedIn, open } of picturedPages) {
  if (names.size > 0 && !names.has(name)) continue
  await using context = await scene.window(browser, isSignedIn)
  const page = await context.newPage()
  await open(page, scene)
  await page.evaluate(settle)
  for (const scheme of schemes) {
    for (const [device, width] of Object.entries(widths)) {
      await page.emulateMedia({ colorScheme: scheme })
      const least = device === 'phone' ? 740 : 800
      await page.setViewportSize({ width, height: least })
      await page.evaluate('scrollTo(0, 0)')
      // a dialog is as high as the window; else all of the page is shown, its bars where they stand in a window
      const isDialog = (await page.locator('dialog[open]').count()) > 0
      const whole = await page.evaluate('document.documentElement.scrollHeight')
      if (!isDialog) await page.setViewportSize({ width, height: Math.max(least, Number(whole)) })
      const picture = await page.screenshot()
      writeFileSync(`${docs}/${pictureOf({ name, device, scheme })}`, smallPng(picture))
    }
  }
}
