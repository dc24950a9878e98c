import { test } from '@svc/domain/testing/world'
import { race } from './races/at-once.ts'
import { type RaceName, races } from './races/scenarios.ts'

/** Two races of a run and one of a queue. The larger tests run all of them, with more participants and more often. */
const few: RaceName[] = [
  'a cancel and a delivery at once: the delivery wins',
  'of 16 orders of a queue at one revision one wins, and the others are answered it',
  'a delete and a delivery at once: the delivery stands, or the run went on',
]
const claims = 12

test.for(few)('%s', async (name, { world }) => {
  await race(world, () => races[name](world, claims))
})
