import { describe, expect, test } from 'vitest'
import { cutText, firstOf } from './cut-text.ts'

describe('a cut text', () => {
  test('is left as it is when it is short enough', () => {
    expect(cutText('abc', 3)).toBe('abc')
  })

  test('ends in a mark and is no longer than allowed', () => {
    expect(cutText('abcdef', 4)).toBe('abc…')
  })

  test.each([2, 3, 4, 5, 6])('of emoji never ends in half of one, at %i', (most) => {
    expect(cutText('x💥💥💥💥', most).isWellFormed()).toBe(true)
    expect(firstOf('x💥💥💥💥', most).isWellFormed()).toBe(true)
  })
})
