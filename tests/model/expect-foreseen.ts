import { expect } from 'vitest'
import { search, describeSteps } from './search.ts'
import type { Theatre } from './stage.ts'

/** Plays as many sequences of calls as the dose has, and fails with the shortest way to what was not foreseen. */
export async function expectForeseen(
  theatre: Theatre,
  dose: { seed: number; sequences: number },
): Promise<void> {
  const found = await search(theatre, { ...dose, steps: 30 })
  const { counterexample } = found
  const report =
    counterexample && `${counterexample.violation.message}\n${describeSteps(counterexample.steps)}`
  expect(report).toBeUndefined()
  expect(found.refused).toBeGreaterThan(0)
  expect(found.repeated).toBeGreaterThan(0)
}
