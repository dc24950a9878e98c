import { openWorld } from '@svc/domain/testing/open-world'
import { race } from '../races/at-once.ts'
import { raceNames, races } from '../races/scenarios.ts'
import { randomFrom } from './webhooks.ts'

export interface RacesOptions {
  databaseUrl: string
  rounds: number
  seed: number
  signal: AbortSignal
  say: (text: string) => void
}

export interface RacesFindings {
  races: number
  violations: number
}

const claims = 500

/** All races again and again, in an order that the seed decides: which call comes first is for the machine to say. */
export async function soakRaces({
  databaseUrl,
  rounds,
  seed,
  signal,
  say,
}: RacesOptions): Promise<RacesFindings> {
  const random = randomFrom(seed)
  await using world = await openWorld(databaseUrl)
  const found: RacesFindings = { races: 0, violations: 0 }
  for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
    say(`  round ${round} of ${rounds}`)
    const drawn = raceNames.map((name) => ({ name, place: random() }))
    for (const { name } of drawn.toSorted((one, other) => one.place - other.place)) {
      if (signal.aborted) break
      found.races += 1
      await race(world, () => races[name](world, claims)).catch((error: unknown) => {
        found.violations += 1
        const { message, cause } = error as Error // nothing else is thrown there
        say(`  ${name}: ${message} ${cause instanceof Error ? cause.message : ''}`)
      })
    }
  }
  return found
}
