import { useTestDatabase } from '@svc/testing/database'
import { afterAll, expect, test } from 'vitest'
import { search, tell } from './search.ts'
import { openTheatre } from './stage.ts'

const { connectionString } = await useTestDatabase()
const theatre = await openTheatre(connectionString)
afterAll(() => theatre[Symbol.asyncDispose]())

const seed = 20_261_101

test(
  'no sequence of calls does what the model does not foresee, and every invariant holds after each',
  { timeout: 600_000 },
  async () => {
    const found = await search(theatre, { seed, sequences: 200, steps: 30 })
    const { counterexample } = found
    const told =
      counterexample && `${counterexample.violation.message}\n${tell(counterexample.steps)}`
    expect(told).toBeUndefined()
    expect(found.refused).toBeGreaterThan(0)
    expect(found.repeated).toBeGreaterThan(0)
  },
)
