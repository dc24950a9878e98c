import { openWorld } from '@svc/domain/testing/open-world'
import { race } from '../races/at-once.ts'
import { raceNames, races } from '../races/scenarios.ts'
import { openThrowawayDatabase } from './database.ts'
import type { SoakOptions, SoakResult } from './soak.ts'
import { randomFrom } from './webhooks.ts'

const claims = 500

/** All races again and again, in an order that the seed decides: which call comes first is for the machine to say. */
export async function soakRaces({ rounds, seed, signal, say }: SoakOptions): Promise<SoakResult> {
  const random = randomFrom(seed)
  await using database = await openThrowawayDatabase()
  await using world = await openWorld(database.url)
  let run = 0
  let violations = 0
  for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
    say(`  round ${round} of ${rounds}`)
    const drawn = raceNames.map((name) => ({ name, place: random() }))
    for (const { name } of drawn.toSorted((one, other) => one.place - other.place)) {
      if (signal.aborted) break
      run += 1
      await race(world, () => races[name](world, claims)).catch((error: unknown) => {
        violations += 1
        const { message, cause } = error as Error // nothing else is thrown there
        say(`  ${name}: ${message} ${cause instanceof Error ? cause.message : ''}`)
      })
    }
  }
  return { figures: [['operations', `${run} races`]], violations }
}
