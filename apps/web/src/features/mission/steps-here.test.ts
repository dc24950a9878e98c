import { expect, test } from 'vitest'
import { stepHere } from './steps-here.ts'

test('a step of the mission is taken where one is', () => {
  const launch = {
    operation: 'launchObjective',
    params: { id: 'web:1.aaaa', agent: 'claude' },
  } as const
  expect(stepHere(launch)).toEqual({
    wanted: { action: 'launch', agent: 'claude' },
    objective: 'web:1.aaaa',
  })
  expect(stepHere({ operation: 'addObjectives', params: { id: 'web:1' } })).toEqual({
    wanted: { action: 'add-objective' },
  })
})

test('one that names nothing of it, or is done elsewhere, leads on', () => {
  expect(stepHere({ operation: 'launchObjective', params: {} })).toBeUndefined()
  expect(stepHere({ operation: 'listRunners', params: {} })).toBeUndefined()
})
