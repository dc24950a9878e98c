import { randomInt } from 'node:crypto'
import { breakEverywhere, test } from './crash/break-everywhere.ts'
import type { OperationName } from './crash/operations.ts'

/** One of what a person, a runner and an agent call. */
const taken: OperationName[] = ['launch', 'claim', 'delivery that advances a queue']

/** One point in so many, from another one in each run. */
const step = 40
const offset = randomInt(step)

test.for(taken)(
  '%s: wherever its connection breaks, sent again it is done once and whole',
  { timeout: 240_000 },
  async (name, { crashing, annotate }) => {
    await annotate(`one point in ${step}, from number ${offset}, and all of the write that commits`)
    await breakEverywhere(crashing, name, { step, offset })
  },
)
