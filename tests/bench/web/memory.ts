import { setTimeout as delay } from 'node:timers/promises'
import { showMission } from '@svc/tests/web/mission-scene'
import { row, say } from '../figures.ts'
import { type Page, openWebStage, untilSettled } from './stage.ts'
import { weigh } from './weigh.ts'

/** A change in a second is a busy hour. */
const busyRate = 1
const timesAsFast = 10

/** What a page holds that hears of changes for hours, ten times as many as in a busy hour. */
export async function measureMemory({ changes }: { changes: number }): Promise<void> {
  await using stage = await openWebStage()
  const { mission, asking } = await showMission(stage.scene.world)
  const shown: { name: string; page: Page }[] = []
  for (const [name, path] of [
    ['mission', `/m/${mission.displayId}`],
    ['projects', '/projects'],
    ['wall', '/wall'],
  ] as const) {
    const page = await stage.openPage()
    await page.goto(stage.addressOf(path))
    await untilSettled(page)
    shown.push({ name, page })
  }
  say(
    `Memory: after garbage collection, over ${changes} changes at ${busyRate * timesAsFast} a second.`,
  )
  const first = new Map<string, number>()
  // said as soon as it is known: whoever ends the hour early has what there is
  const note = async (done: number) => {
    for (const { name, page } of shown) {
      const { heap, nodes, listeners } = await weigh(page)
      const before = first.get(name) ?? heap
      first.set(name, before)
      row(
        `${name}, after ${done} changes`,
        `${(heap / 2 ** 20).toFixed(1)} MiB, ${(heap / before).toFixed(2)} of the beginning; ${nodes} nodes, ${listeners} listeners`,
      )
    }
  }
  await note(0)
  const begun = Date.now()
  for (let done = 1; done <= changes; done += 1) {
    if (done % 2 === 0) await asking.agent.update({ text: `Step ${done}.` })
    else await asking.agent.heartbeat({ percent: done % 100, note: `Step ${done}.` })
    await delay(Math.max(0, begun + (done * 1_000) / (busyRate * timesAsFast) - Date.now()))
    if ([1, 2, 3].some((third) => done === Math.floor((changes * third) / 3))) await note(done)
  }
}
