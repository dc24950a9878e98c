import { percentile, say, table } from '../figures.ts'
import { type Page, type WebStage, openWebStage, untilSettled } from './stage.ts'

const slowedTimes = 4
const aimMs = 100

/** From the key to the first frame after it is painted. */
const observe = `(() => {
  window.painted = []
  document.addEventListener('keydown', (event) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.painted.push(performance.now() - event.timeStamp)
      port2.postMessage(0)
    })
  }, { capture: true })
})()`

/** Keys that every page has, and letters into a field. */
const strokes = [
  ...Array.from({ length: 20 }, () => 'j'),
  ...Array.from({ length: 20 }, () => 'k'),
  ...Array.from({ length: 10 }, () => ['?', 'Escape']).flat(),
  '/',
  ...'themeswitchpositionsofthepage'.split(''),
  'Escape',
]

/** How soon a key is seen, with a processor that is a quarter as fast. */
export async function measureKeys({ rounds }: { rounds: number }): Promise<void> {
  await using stage = await openWebStage()
  say(
    `Keys: ms from a key to the frame after it, CPU slowed ${slowedTimes} times; aim ${aimMs} at p98.`,
  )
  const rows = [['page', 'keys', 'median', 'p98', 'most', 'of the aim']]
  for (const { key, path } of stage.pages) {
    const times = await press(stage, path, rounds)
    const p98 = percentile(times, 0.98)
    rows.push([
      key,
      String(times.length),
      ...[percentile(times, 0.5), p98, Math.max(...times)].map((ms) => ms.toFixed(0)),
      (p98 / aimMs).toFixed(2),
    ])
  }
  table(rows)
}

async function press(stage: WebStage, path: string, rounds: number): Promise<number[]> {
  const page: Page = await stage.openPage()
  await page.goto(stage.addressOf(path))
  await untilSettled(page)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes })
  await page.evaluate(observe)
  for (let round = 0; round < rounds; round += 1) {
    for (const stroke of strokes) await page.keyboard.press(stroke, { delay: 20 })
  }
  await page.waitForTimeout(500)
  const times = await page.evaluate<number[]>('window.painted')
  await page.context().close()
  return times
}
