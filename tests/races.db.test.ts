import { test } from '@svc/testing/world'
import { race } from './races/at-once.ts'
import { raceNames, races } from './races/scenarios.ts'

const claims = 12

test.for(raceNames)('%s', { timeout: 120_000 }, async (name, { world }) => {
  await race(world, () => races[name](world, claims))
})
