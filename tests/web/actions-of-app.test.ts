import { describe, expect, test } from 'vitest'
import { actionsOfApp, callersByGivenName } from './actions-of-app.ts'
import { exceptions, questions } from './fault-exceptions.ts'
import { proofs } from './keyboard-proofs.ts'

describe('the actions of the app', () => {
  const actions = actionsOfApp()

  test('are those that have a proof, by which they are done and have all befall them', () => {
    expect(Object.keys(proofs).toSorted()).toEqual(actions)
  })

  test('are called by names that are known here, but where whatever is called goes through', () => {
    expect(callersByGivenName().toSorted()).toEqual([
      'data/actions.ts',
      'data/connection.ts',
      'data/reads.ts',
      'features/needs/actions.tsx',
    ])
  })

  test('are there, where faults are said to be another thing with them', () => {
    expect(actions).toEqual(expect.arrayContaining([...questions, ...Object.keys(exceptions)]))
  })
})
