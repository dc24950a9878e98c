import { filledPages } from '@svc/tests/web/filled-scene'
import { type Cost, bytesIn, costsOf } from '@svc/tests/web/page-costs'
import { say, table } from '../figures.ts'
import { openWebStage, untilSettled } from './stage.ts'

/** Each file and each answer that pages with much to show ask for as the first one: before they are there, and after that. */
export async function measureFiles(): Promise<void> {
  await using stage = await openWebStage()
  const pages = await filledPages(stage.scene.world)
  say('Files: bytes as they travel, of each file and answer of filled pages as the first one.')
  for (const [name, path] of Object.entries(pages)) {
    const page = await stage.openPage()
    const heard = costsOf(page)
    await page.goto(stage.addressOf(path))
    await untilSettled(page)
    const costs = await heard.all(stage.folder)
    await page.context().close()
    say('')
    say(`${name}: ${(bytesIn(costs) / 1024).toFixed(1)} KiB in ${costs.length} (aim: 180)`)
    table(costs.toSorted((one, other) => other.bytes - one.bytes).map(rowOf))
  }
}

function rowOf({ what, bytes, isEarly }: Cost): string[] {
  return ['', isEarly ? '' : 'after', String(bytes).padStart(7), what]
}
