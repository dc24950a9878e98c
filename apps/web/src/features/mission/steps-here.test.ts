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

test('what an objective lacks is named where it is chosen', () => {
  const of = { id: 'web:1.aaaa' }
  const update = (more: object) =>
    stepHere({ operation: 'updateObjective', params: { ...of, ...more } })?.wanted.action
  expect([
    update({ assigned_agent: '<key>' }),
    update({ resource_key: '<key>' }),
    update({}),
  ]).toEqual(['agent', 'resource', 'edit'])
})

test('one that is done elsewhere leads on', () => {
  expect(stepHere({ operation: 'listRunners', params: {} })).toBeUndefined()
})
