import { expect, test } from 'vitest'
import { isOfObjective, stepHere } from './steps-here.ts'

test('a step of the mission is taken where one is', () => {
  const launch = {
    operation: 'launchObjective',
    params: { id: 'web:1.aaaa', agent: 'claude' },
  } as const
  expect(stepHere(launch)).toEqual({
    wanted: { action: 'launch', agent: 'claude' },
    objective: 'web:1.aaaa',
  })
  const add = stepHere({ operation: 'addObjectives', params: { id: 'web:1' } })
  expect(add).toEqual({ wanted: { action: 'add-objective' } })
  expect(add && isOfObjective(add)).toBe(false)
})

test('one that is done elsewhere leads on', () => {
  expect(stepHere({ operation: 'listRunners', params: {} })).toBeUndefined()
})
