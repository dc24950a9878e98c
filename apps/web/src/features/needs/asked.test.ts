import { expect, test } from 'vitest'
import { readAsked, searchOf } from './asked.ts'

test.each([
  ['', { whose: 'mine', project: undefined }],
  ['whose=all', { whose: 'all', project: undefined }],
  ['whose=all&project=web', { whose: 'all', project: 'web' }],
  ['whose=everybody&project=', { whose: 'mine', project: undefined }],
] as const)(
  'an address asks for a part of the list, and has nothing that goes without saying: %j',
  (search, asked) => {
    expect(readAsked(search)).toMatchObject(asked)
    expect(readAsked(new URLSearchParams(searchOf(asked)).toString())).toMatchObject(asked)
  },
)

test('an address leads to a question', () => {
  expect(readAsked('question=42').question).toBe('42')
})
