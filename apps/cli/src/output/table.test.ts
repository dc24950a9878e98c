import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { details, table } from './table.ts'

const noTerminal = new Writable()

describe('a table', () => {
  test('stands in columns without borders, colours and trailing space', () => {
    const text = table(
      ['ID', 'TITLE'],
      [
        ['web:1', 'First'],
        ['web:10', null],
      ],
      noTerminal,
    )
    expect(text).toBe(['ID      TITLE', 'web:1   First', 'web:10  -'].join('\n'))
  })

  test('shows each row on one line, whatever the text holds', () => {
    const text = table(['A', 'B'], [['x\u001b[2J\ny', 'z']], noTerminal)
    expect(text.split('\n')).toEqual(['A    B', 'x y  z'])
  })
})

test('details leave out what has no value', () => {
  expect(details({ run: 'abc', failure: null, branch: '', attempt: 0 }, noTerminal)).toBe(
    ['run      abc', 'attempt  0'].join('\n'),
  )
})
