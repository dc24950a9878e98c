import { test } from '@svc/domain/testing/world'
import { race } from './races/at-once.ts'
import { raceNames, races } from './races/scenarios.ts'

const claims = 150
const rounds = [1, 2, 3]

test.for(raceNames)('%s', { timeout: 360_000 }, async (name, { world }) => {
  for (const _ of rounds) await race(world, () => races[name](world, claims))
})
