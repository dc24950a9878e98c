import { expect, test } from 'vitest'
import { doneHere, stepIdOf } from './steps-in-row.ts'

test('a step that needs nothing but an id is taken in its row', () => {
  const step = { operation: 'resumeObjective', params: { id: 'web:12.k7qd' } } as const
  expect(doneHere(step)).toEqual({ operation: 'resumeObjective', done: 'goes on' })
  expect(stepIdOf(step)).toBe('web:12.k7qd')
})

test('one that asks something, or leads elsewhere, is not', () => {
  expect(doneHere({ operation: 'launchObjective', params: { id: 'web:12.k7qd' } })).toBeUndefined()
  expect(doneHere({ operation: 'listRunners', params: {} })).toBeUndefined()
  expect(stepIdOf({ operation: 'listRunners', params: {} })).toBe('')
})
