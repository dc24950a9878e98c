import { describe, expect, test } from 'vitest'
import { pageOf, readCursor } from './page.ts'

describe('a page', () => {
  const cursorOf = (row: string) => `after ${row}`

  test('with one row more than asked for makes the last row given the cursor', () => {
    expect(pageOf(['c', 'b', 'a'], 2, cursorOf)).toEqual({
      items: ['c', 'b'],
      nextCursor: { nextCursor: 'after b' },
    })
  })

  test.each([[[]], [['c']], [['c', 'b']]])('of two rows is the last one with %j', (rows) => {
    expect(pageOf(rows, 2, cursorOf)).toEqual({ items: rows, nextCursor: {} })
  })
})

describe('a cursor', () => {
  const id = '0192f0c4-8f3e-7c61-9f0a-3b1f2d4c5e6f'

  test.each([undefined, id])('%s is read', (cursor) => {
    expect(readCursor(cursor)).toBe(cursor)
  })

  test.each(['', 'x', `${id}x`, `${id}' or true`])('%j is refused', (cursor) => {
    expect(() => readCursor(cursor)).toThrow('use the nextCursor of the page before')
  })
})
