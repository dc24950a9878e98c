import { openWorld } from '@svc/domain/testing/open-world'
import { operationNames } from '../crash/operations.ts'
import { type Became, callWhole, crashAt, openCrashing } from '../crash/points.ts'
import { openThrowawayDatabase } from './database.ts'
import type { SoakOptions, SoakResult } from './soak.ts'
import { randomFrom } from './webhooks.ts'

/** Every point at which the connection of a call can break; sent again, it breaks once more somewhere. */
export async function soakCrash({ seed, signal, say }: SoakOptions): Promise<SoakResult> {
  const random = randomFrom(seed)
  await using opened = new AsyncDisposableStack()
  const { url } = opened.use(await openThrowawayDatabase())
  const world = opened.use(await openWorld(url))
  const crashing = opened.use(await openCrashing(world, url))
  const found: Record<Became, number> = { undone: 0, done: 0, 'not reached': 0 }
  let calls = 0
  let violations = 0
  for (const name of operationNames) {
    if (signal.aborted) break
    const whole = await callWhole(crashing, name)
    say(`  ${name}: ${whole.points.length} points`)
    for (const point of whole.points) {
      if (signal.aborted) break
      const again = whole.points[Math.floor(random() * whole.points.length)]
      calls += 1
      try {
        found[await crashAt(crashing, whole, again ? [point, again] : [point])] += 1
      } catch (error) {
        violations += 1
        const { message, cause } = error as Error // crashAt throws nothing else
        say(`  ${message}: ${cause instanceof Error ? cause.message : String(cause)}`)
      }
    }
  }
  return {
    figures: [
      ['operations', `${calls} calls, broken at each point and once more`],
      ['undone', String(found.undone)],
      ['done, answer lost', String(found.done)],
      ['not reached', String(found['not reached'])],
    ],
    violations,
  }
}
