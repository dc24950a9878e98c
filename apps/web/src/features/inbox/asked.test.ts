import { expect, test } from 'vitest'
import { readState, requestOf, searchOf, states } from './asked.ts'

test('which items are shown stands in the address, and what nobody knows is those that are open', () => {
  for (const state of states) {
    const search = new URLSearchParams(searchOf(state)).toString()
    expect(readState(search)).toBe(state)
    expect(requestOf(state).state).toBe(state)
  }
  expect(searchOf('open')).toEqual({})
  expect(readState('state=<script>')).toBe('open')
})
