import { test } from '@svc/domain/testing/world'
import { race } from './races/at-once.ts'
import { type RaceName, races } from './races/scenarios.ts'

/** One race of each kind. The larger tests run all of them, with more participants and more often. */
const few: RaceName[] = [
  'what 64 runners claim at once is claimed once each, and all of it',
  'a cancel and a delivery at once: the delivery wins',
  'of 16 orders of a queue at one revision one wins, and the others are answered it',
  'an answer and a resume at once, of a run that is or will be parked, go on with it once',
  'a delete and a delivery at once: the delivery stands, or the run went on',
  'notifications that are read while their causes go never wait in a circle',
]
const claims = 12

test.for(few)('%s', async (name, { world }) => {
  await race(world, () => races[name](world, claims))
})
