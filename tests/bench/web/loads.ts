import { bytesOf } from '@svc/tests/web/bytes-of'
import { say, table } from '../figures.ts'
import { type Page, type WebStage, openWebStage, untilQuiet, untilSettled } from './stage.ts'

/** The last that a page loads by itself, two seconds after it; one that follows something is never quiet for that long. */
const menus = /\/assets\/menu-parts/
const aims = { first: 180, further: 70, requests: 8 }

/** What each page costs on its way to a browser: as the first one, and coming from another. */
export async function measureLoads(): Promise<void> {
  await using stage = await openWebStage()
  say('Loads: KiB as compressed as they travel, and requests, the feed with them.')
  say(
    `Aims: ${aims.first} KiB and ${aims.requests} requests for the first page, menus with it; ${aims.further} KiB for a further one.`,
  )
  const rows = [['page', 'first', 'requests', 'with menus', 'further', 'requests', 'of the aim']]
  for (const { key, path } of stage.pages) {
    const first = await firstLoad(stage, path)
    const further = await furtherPage(stage, path)
    rows.push([
      key,
      kib(first.early),
      String(first.requests),
      kib(first.all),
      kib(further.bytes),
      String(further.requests),
      `${ratio(first.all, aims.first)}, ${ratio(further.bytes, aims.further)}`,
    ])
  }
  table(rows)
}

async function firstLoad(stage: WebStage, path: string) {
  const page = await stage.openPage()
  const heard = listen(page)
  const last = page.waitForResponse(menus)
  await page.goto(stage.addressOf(path))
  await untilSettled(page)
  const early = await heard.total(stage.folder)
  await (await last).finished()
  const all = await heard.total(stage.folder)
  await page.context().close()
  return { early: early.bytes, requests: early.requests, all: all.bytes }
}

/** Within the app, from a page that has loaded all that it ever will; from itself, where no other one is there. */
async function furtherPage(stage: WebStage, path: string) {
  const page = await stage.openPage()
  const from = stage.pages.find((one) => one.path !== path)?.path ?? path
  const last = page.waitForResponse(menus)
  await page.goto(stage.addressOf(from))
  await untilSettled(page)
  await (await last).finished()
  const heard = listen(page)
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(stage.addressOf(path))})`)
  await untilQuiet(page, 1_000)
  const total = await heard.total(stage.folder)
  await page.context().close()
  return total
}

function listen(page: Page) {
  const responses: Parameters<typeof bytesOf>[0][] = []
  page.on('response', (response) => responses.push(response))
  return {
    async total(folder: string) {
      const sizes = await Promise.all(responses.map((response) => bytesOf(response, folder)))
      return { requests: responses.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
  }
}

const kib = (bytes: number) => (bytes / 1024).toFixed(1)
const ratio = (bytes: number, aim: number) => (bytes / 1024 / aim).toFixed(2)
