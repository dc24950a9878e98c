import { percentile, row, say } from '../figures.ts'
import { type Page, openWebStage, untilSettled } from './stage.ts'

const aimMs = 1_000

/** When that text is first in the document. */
const untilSeen = (text: string) => `new Promise((resolve) => {
  const look = () => {
    if (!document.body.textContent.includes(${JSON.stringify(text)})) return
    observer.disconnect()
    resolve(Date.now())
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  look()
})`

/** How soon what is done in one browser is seen in another. */
export async function measureSeen({ samples }: { samples: number }): Promise<void> {
  await using stage = await openWebStage()
  const [here, there] = [await stage.openPage(), await stage.openPage()]
  for (const page of [here, there]) {
    await page.goto(stage.addressOf('/projects'))
    await untilSettled(page)
  }
  const times: { there: number; here: number }[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    times.push(await changeOnce(here, there, `Seen ${sample} times`))
  }
  say('Seen: ms from the key that makes a project to its row, in that browser and in another.')
  for (const where of ['here', 'there'] as const) {
    const all = times.map((time) => time[where])
    const p98 = percentile(all, 0.98)
    row(
      where === 'here' ? 'in the browser that did it' : `in another one (aim ${aimMs})`,
      `median ${percentile(all, 0.5)}, p98 ${p98}, most ${Math.max(...all)}; ${(p98 / aimMs).toFixed(2)} of the aim`,
    )
  }
}

async function changeOnce(here: Page, there: Page, name: string) {
  await here.keyboard.press('c')
  await here.getByLabel('Name').fill(name)
  await here.evaluate(
    `document.addEventListener('keydown', () => (window.pressedAt = Date.now()), { capture: true, once: true })`,
  )
  const seenThere = there.evaluate<number>(untilSeen(name))
  await here.keyboard.press('Enter')
  await here.getByRole('dialog').waitFor({ state: 'detached' })
  const seenHere = await here.evaluate<number>(untilSeen(name))
  const pressedAt = await here.evaluate<number>('window.pressedAt')
  return { there: (await seenThere) - pressedAt, here: seenHere - pressedAt }
}
