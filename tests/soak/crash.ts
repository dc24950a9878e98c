import { openWorld } from '@svc/domain/testing/open-world'
import { operationNames } from '../crash/operations.ts'
import { type Became, callWhole, crashAt, openCrashing } from '../crash/points.ts'
import { randomFrom } from './webhooks.ts'

export interface CrashOptions {
  databaseUrl: string
  seed: number
  signal: AbortSignal
  say: (text: string) => void
}

export type CrashFindings = Record<Became, number> & { calls: number; violations: number }

/** Every point at which the connection of a call can break; sent again, it breaks once more somewhere. */
export async function soakCrash({
  databaseUrl,
  seed,
  signal,
  say,
}: CrashOptions): Promise<CrashFindings> {
  const random = randomFrom(seed)
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld(databaseUrl))
  const crashing = opened.use(await openCrashing(world, databaseUrl))
  const found: CrashFindings = { calls: 0, undone: 0, done: 0, 'not reached': 0, violations: 0 }
  for (const name of operationNames) {
    if (signal.aborted) break
    const whole = await callWhole(crashing, name)
    say(`  ${name}: ${whole.points.length} points`)
    for (const point of whole.points) {
      if (signal.aborted) break
      const again = whole.points[Math.floor(random() * whole.points.length)]
      found.calls += 1
      try {
        found[await crashAt(crashing, whole, again ? [point, again] : [point])] += 1
      } catch (error) {
        found.violations += 1
        const { message, cause } = error as Error // crashAt throws nothing else
        say(`  ${message}: ${cause instanceof Error ? cause.message : String(cause)}`)
      }
    }
  }
  return found
}
