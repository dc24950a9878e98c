import { expect, test } from 'vitest'
import { changesFrom, readChanges, writeChanges } from './changes.ts'

const initial = { usd: '5', runs: '', advances: false }

test('what is written of a form and left again is its changes alone', () => {
  const changes = changesFrom(initial, { ...initial, runs: '7', advances: true })
  expect(changes).toEqual({ runs: '7', advances: true })
  expect(readChanges(initial, writeChanges(changes))).toEqual(changes)
  expect(writeChanges(changesFrom(initial, initial))).toBe('')
})

test.each([undefined, '', 'half of a', '[]', 'null', '{"usd":5,"more":"x","toString":"y"}'])(
  'what is no form of this version is none: %j',
  (text) => {
    expect(readChanges(initial, text)).toEqual({})
  },
)
