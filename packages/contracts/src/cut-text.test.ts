import { describe, expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

describe('a cut text', () => {
  test('is left as it is when it is short enough', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('ab😀', 4)).toBe('ab😀')
  })

  test('is no longer than allowed', () => {
    expect(cutText('abcdef', 4)).toBe('abcd')
  })

  test('goes without the character of which only half would be left', () => {
    expect(cutText('ab😀', 3)).toBe('ab')
  })

  test.each([2, 3, 4, 5, 6])('of emoji never ends in half of one, at %i', (most) => {
    expect(cutText('x💥💥💥💥', most).isWellFormed()).toBe(true)
  })

  test('has a replacement where half of a character was given', () => {
    expect(cutText('a\ud83d', 4)).toBe('a\ufffd')
  })
})
