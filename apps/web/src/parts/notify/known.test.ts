import { expect, test } from 'vitest'
import { readKeys, takeKeys } from './known.ts'

test('what is there when it is turned on is no news, and each that comes is so once', () => {
  expect(takeKeys(undefined, ['a', 'b'], false)).toEqual({ keys: ['a', 'b'], fresh: [] })
  expect(takeKeys(['a', 'b'], ['b', 'c'], false)).toEqual({ keys: ['b', 'c'], fresh: ['c'] })
  expect(takeKeys(['b', 'c'], ['b', 'c'], false)).toEqual({ keys: ['b', 'c'], fresh: [] })
  expect(takeKeys([], ['a'], false).fresh).toEqual(['a'])
})

test('of a list that has more nothing is known to be gone, and so much is remembered', () => {
  expect(takeKeys(['a', 'b'], ['c'], true)).toEqual({ keys: ['a', 'b', 'c'], fresh: ['c'] })
  const many = Array.from({ length: 300 }, (_, index) => `${index}`)
  expect(takeKeys(many, ['x'], true).keys).toHaveLength(200)
})

test('what is kept may be anything', () => {
  for (const kept of [null, 'no JSON', '{}', '[1]']) expect(readKeys(kept)).toBeUndefined()
})
