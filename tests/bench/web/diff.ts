import { bigReview, fileAt, longFile } from '@svc/tests/web/big-review-scene'
import { bytesIn, costsOf } from '@svc/tests/web/page-costs'
import { percentile, row, say, table } from '../figures.ts'
import { type Page, type WebStage, openWebStage, untilSettled } from './stage.ts'
import { heapOf } from './weigh.ts'

const slowedTimes = 4
const counts = [50, 5_000]
/** Fewer than the files that have lines and stand first in either review. */
const steps = 25

/** The review of a run that has changed 5,000 files, next to one of 50. */
export async function measureDiff(): Promise<void> {
  await using stage = await openWebStage()
  say(`Diff: a review of so many files; keys and frames in ms, CPU slowed ${slowedTimes} times.`)
  const rows = [
    [
      'files',
      'opening',
      'KiB',
      'requests',
      'nodes',
      'n: median',
      'p98',
      'frames: p98',
      'most',
      'heap',
    ],
  ]
  for (const count of counts) {
    const { displayId } = await bigReview(stage.scene.world, count)
    rows.push([String(count), ...(await measureReview(stage, displayId))])
  }
  table(rows)
  await measureLongFile(stage)
}

async function measureReview(stage: WebStage, displayId: string): Promise<string[]> {
  const page = await stage.openPage()
  const heard = costsOf(page)
  const begun = Date.now()
  // where no file is named, the first key opens the first one, which is there already
  await page.goto(stage.addressOf(`/m/${displayId}/review?f=${fileAt(4)}`))
  await page.getByText('const name = 4', { exact: true }).waitFor()
  const opening = Date.now() - begun
  await untilSettled(page)
  const costs = await heard.all(stage.folder)
  const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  await slow(page)
  const keys = await walk(page)
  const frames = await scroll(
    page,
    `document.querySelector('ul[aria-label="Changed files"]').parentElement`,
  )
  return [
    String(opening),
    (bytesIn(costs) / 1024).toFixed(1),
    String(costs.length),
    String(nodes),
    percentile(keys, 0.5).toFixed(0),
    percentile(keys, 0.98).toFixed(0),
    percentile(frames, 0.98).toFixed(0),
    Math.max(...frames).toFixed(0),
    await heapOf(page),
  ]
}

async function measureLongFile(stage: WebStage): Promise<void> {
  const { displayId } = await bigReview(stage.scene.world, counts[0] ?? 50)
  const page = await stage.openPage()
  const begun = Date.now()
  await page.goto(stage.addressOf(`/m/${displayId}/review?f=${longFile}`))
  await page.getByText('line 1', { exact: true }).waitFor()
  row('a file of 20,000 lines: from the address to its first line', String(Date.now() - begun))
  await slow(page)
  const frames = await scroll(page, 'document.scrollingElement', 10_000)
  const lines = await page.getByRole('button', { name: /note on / }).count()
  row(
    'scrolled through: ms a frame at p98, at most; lines in the document (aim: 2,000)',
    `${percentile(frames, 0.98).toFixed(0)}, ${Math.max(...frames).toFixed(0)}; ${lines}`,
  )
}

async function slow(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes })
}

/** From the key to the first frame in which the lines of the next file are there. */
async function walk(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let step = 0; step < steps; step += 1) {
    // it has to listen before the key is pressed
    await page.evaluate(`void (window.seen = new Promise((resolve) => {
      const nameOf = () => document.querySelector('section[aria-label^="File "]')?.ariaLabel
      document.addEventListener('keydown', ({ timeStamp }) => {
        const before = nameOf()
        const look = () => {
          const isThere = nameOf() !== before && document.querySelector('[id^="line-"]') !== null
          if (isThere) resolve(performance.now() - timeStamp)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }, { capture: true, once: true })
    }))`)
    await page.keyboard.press('n')
    times.push(await page.evaluate<number>('window.seen'))
  }
  return times
}

/** The times of the frames while that is scrolled through from its beginning to its end, so far in each. */
function scroll(page: Page, element: string, pixels = 2_000): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const scrolled = ${element}
    const times = []
    let last = performance.now()
    let still = 0
    scrolled.scrollTop = 0
    const step = (now) => {
      times.push(now - last)
      last = now
      const before = scrolled.scrollTop
      scrolled.scrollTop += ${pixels}
      still = scrolled.scrollTop === before ? still + 1 : 0
      // more may be on its way
      if (still > 30) resolve(times.slice(1, -30))
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)
}
