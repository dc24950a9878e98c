import { filledPages } from '@svc/tests/web/filled-scene'
import { type Cost, bytesIn, costsOf } from '@svc/tests/web/page-costs'
import { say, table } from '../figures.ts'
import { type WebStage, openWebStage, untilQuiet, untilSettled } from './stage.ts'

const aims = { first: 180, further: 70, requests: 8 }

/** What each page costs on its way to a browser: as the first one, and coming from one that shows little. */
export async function measureLoads(): Promise<void> {
  await using stage = await openWebStage()
  const filled = Object.entries(await filledPages(stage.scene.world))
  say('Loads: KiB as compressed as they travel, and requests, the feed with them.')
  say(
    `Aims: ${aims.first} KiB and ${aims.requests} requests until a first page is there, what comes then with it; ${aims.further} KiB for a further one.`,
  )
  const rows = [['page', 'until there', 'requests', 'first', 'further', 'requests', 'of the aim']]
  const pages = [
    ...stage.pages,
    ...filled.map(([key, path]) => ({ key: `${key}, with much to show`, path })),
  ]
  for (const { key, path } of pages) {
    const first = await firstLoad(stage, path)
    const further = await furtherPage(stage, key, path)
    const early = first.filter(({ isEarly }) => isEarly)
    rows.push([
      key,
      kib(early),
      String(early.length),
      kib(first),
      kib(further),
      String(further.length),
      `${ratio(first, aims.first)}, ${ratio(further, aims.further)}`,
    ])
  }
  table(rows)
}

async function firstLoad(stage: WebStage, path: string): Promise<Cost[]> {
  const page = await stage.openPage()
  const heard = costsOf(page)
  await page.goto(stage.addressOf(path))
  await untilSettled(page)
  const all = await heard.all(stage.folder)
  await page.context().close()
  return all
}

/** Within the app, from a page that has loaded all that it ever will and shows no Markdown. */
async function furtherPage(stage: WebStage, key: string, path: string): Promise<Cost[]> {
  const page = await stage.openPage()
  await page.goto(stage.addressOf(key === 'projects' ? '/search' : '/projects'))
  await untilSettled(page)
  const heard = costsOf(page)
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(stage.addressOf(path))})`)
  await untilQuiet(page, 1_000)
  const all = await heard.all(stage.folder)
  await page.context().close()
  return all
}

const kib = (costs: readonly Cost[]) => (bytesIn(costs) / 1024).toFixed(1)
const ratio = (costs: readonly Cost[], aim: number) => (bytesIn(costs) / 1024 / aim).toFixed(2)
