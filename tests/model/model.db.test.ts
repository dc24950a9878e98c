import { useTestDatabase } from '@svc/testing/database'
import { afterAll, test } from 'vitest'
import { expectForeseen } from './expect-foreseen.ts'
import { openTheatre } from './stage.ts'

const { connectionString } = await useTestDatabase()
const theatre = await openTheatre(connectionString)
afterAll(() => theatre[Symbol.asyncDispose]())

test('no sequence of calls does what the model does not foresee, and every invariant holds after each', () =>
  expectForeseen(theatre, { seed: 20_261_101, sequences: 6 }))
