import { runnerWith } from '@svc/domain/testing/runner'
import { foundOf, linesOnScreen, logOf, printingRun } from '@svc/tests/web/run-scene'
import { row, say } from '../figures.ts'
import { type Page, openWebStage } from './stage.ts'
import { heapOf } from './weigh.ts'

const mebibyte = 1024 * 1024
const pieces = 96
const lineBytes = 128
const linesOfPiece = mebibyte / lineBytes

/** In each MiB one line has the word that is looked for. */
function pieceOf(piece: number): string {
  return Array.from({ length: linesOfPiece }, (_, at) => {
    const word = at === 4_000 ? 'the needle is here' : 'nothing to be found in this line'
    const number = String(piece * linesOfPiece + at).padStart(9, '0')
    return `${number} ${word}`.padEnd(lineBytes - 1, '.') + '\n'
  }).join('')
}

/** A log of 100 MB in its page: opened, followed, read back and looked through. */
export async function measureLog(): Promise<void> {
  await using stage = await openWebStage()
  const { world } = stage.scene
  const { id, asking, runner } = await printingRun(world, pieceOf(0))
  const large = runnerWith({ ...world.domain, logBytes: 100 * mebibyte }, runner.token, {
    projectIds: 'all',
  })
  const print = (piece: number) => large.log(asking.lease, piece * mebibyte, pieceOf(piece))
  for (let piece = 1; piece < pieces; piece += 1) await print(piece)

  const page = await stage.openPage()
  const reads: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/log?')) {
      reads.push(Number(response.headers()['content-length'] ?? 0))
    }
  })
  say(`Log: one of ${pieces} MiB, in lines of ${lineBytes} bytes; ms by the clock of the page.`)
  const begun = Date.now()
  await page.goto(stage.addressOf(`/runs/${id}`))
  await untilLast(page, pieces * linesOfPiece - 1)
  row('from the address to its last line', String(Date.now() - begun))
  row('read for that', `${inMiB(reads)} MiB in ${reads.length} pieces`)
  row('held then', `${await heapOf(page)} of heap`)

  const printed = Date.now()
  await print(pieces)
  await untilLast(page, (pieces + 1) * linesOfPiece - 1)
  row('from what is printed to its line, a MiB at once', String(Date.now() - printed))

  await logOf(page).focus()
  const top = async () => Number((await linesOnScreen(page))[0]?.slice(0, 9))
  for (let turn = 0; turn < 40; turn += 1) {
    const before = await top()
    await page.keyboard.press('Home')
    while ((await top()) > before - linesOfPiece / 2) await page.waitForTimeout(20)
  }
  const rows = await logOf(page).locator('[data-offset]').count()
  row('after 40 times to the top of what is held (aim: 80)', `${await heapOf(page)} of heap`)
  row('read until then (aim: 24 pieces held at most)', `${reads.length} pieces`)
  row('rows in the document', String(rows))

  await page.keyboard.press('f')
  const looked = Date.now()
  await page.getByRole('searchbox', { name: 'Find in this log' }).fill('Needle')
  await foundOf(page, `of ${pieces + 1} found`).waitFor({ timeout: 120_000 })
  row('all of it is looked through', String(Date.now() - looked))
}

const inMiB = (reads: readonly number[]) =>
  (reads.reduce((sum, bytes) => sum + bytes, 0) / mebibyte).toFixed(1)

/** The line of that number is on screen. */
async function untilLast(page: Page, number: number): Promise<void> {
  const text = JSON.stringify(String(number).padStart(9, '0'))
  await page.waitForFunction(
    `[...document.querySelectorAll('[data-offset]')].some((row) => row.textContent.includes(${text}))`,
    undefined,
    { polling: 'raf', timeout: 120_000 },
  )
}
