import { bigLog, pieces } from '@svc/tests/web/big-log-scene'
import { foundOf, linesOnScreen, logOf } from '@svc/tests/web/run-scene'
import { bytesIn, costsOf } from '@svc/tests/web/page-costs'
import { row, say } from '../figures.ts'
import { type Page, openWebStage, untilSettled } from './stage.ts'

const aimMib = 80
/** As many pages up as make the page hold all that it may, of lines as short as these. */
const pagesUp = 400

/** The page of a run that has printed 100 MB: opened, gone through, and a word looked for in all of it. */
export async function measureLog(): Promise<void> {
  await using stage = await openWebStage()
  const { id, lines } = await bigLog(stage.scene.world)
  say(`Log: a run that has printed ${pieces} MiB in ${lines} lines.`)
  const page = await stage.openPage()
  const heard = costsOf(page)
  const begun = Date.now()
  await page.goto(stage.addressOf(`/runs/${id}`))
  await logOf(page).waitFor()
  await untilLast(page, lines - 1)
  row('from the address to its last line, ms', String(Date.now() - begun))
  await untilSettled(page)
  const costs = await heard.all(stage.folder)
  row('read for that', `${(bytesIn(costs) / 1024).toFixed(1)} KiB, ${costs.length} requests`)
  await sayMemory(page, 'once it is opened')

  const frame = logOf(page)
  await frame.focus()
  for (let step = 0; step < pagesUp; step += 1) await page.keyboard.press('PageUp')
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Home')
    await page.waitForTimeout(100)
  }
  await sayMemory(page, 'after going up, over more than it holds')
  row('rows in the document', String(await frame.locator('[data-offset]').count()))

  await page.keyboard.press('f')
  const field = page.getByRole('searchbox', { name: 'Find in this log' })
  const asked = Date.now()
  await field.fill('Needle')
  await foundOf(page, `${pieces} of ${pieces} found`).waitFor({ timeout: 120_000 })
  row('a word found in all of it, from its last letter, ms', String(Date.now() - asked))
  await sayMemory(page, 'after that')
}

async function untilLast(page: Page, number: number): Promise<void> {
  while (Number((await linesOnScreen(page)).at(-1)?.slice(0, 9)) !== number) {
    await page.waitForTimeout(20)
  }
}

/** With the bytes that are outside of the heap of objects, which a log is held as. */
async function sayMemory(page: Page, when: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('HeapProfiler.collectGarbage')
  // the types of the driver lag behind what the browser tells
  const usage = (await devTools.send('Runtime.getHeapUsage')) as {
    usedSize: number
    backingStorageSize?: number
  }
  await devTools.detach()
  const mib = (usage.usedSize + (usage.backingStorageSize ?? 0)) / 2 ** 20
  row(`MiB of objects and bytes, ${when} (aim ${aimMib})`, mib.toFixed(1))
}
