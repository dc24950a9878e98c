import { expect, test } from 'vitest'
import { pageOf } from './page.ts'

const cursorOf = (row: string) => `after ${row}`

test('one row more than asked for makes the last row given the cursor', () => {
  expect(pageOf(['c', 'b', 'a'], 2, cursorOf)).toEqual({ items: ['c', 'b'], nextCursor: { nextCursor: 'after b' } })
})

test.each([[[]], [['c']], [['c', 'b']]])('%j is the last page of two rows: no cursor', (rows) => {
  expect(pageOf(rows, 2, cursorOf)).toEqual({ items: rows, nextCursor: {} })
})
