import { describe, expect, test } from 'vitest'
import { inOrder, isSameOrder, placed, stepped } from './order.ts'

const ids = ['a', 'b', 'c', 'd']

describe('an objective in its order', () => {
  test.each([
    ['a', 'after', 'c', 'bcad'],
    ['d', 'before', 'a', 'dabc'],
    ['b', 'before', 'c', 'abcd'],
    ['b', 'after', 'b', 'abcd'],
    ['b', 'after', 'gone', 'abcd'],
  ] as const)('%s is put %s %s', (id, edge, target, after) => {
    expect(placed(ids, id, edge, target).join('')).toBe(after)
  })

  test.each([
    ['a', 1, 'bacd'],
    ['d', -1, 'abdc'],
    ['a', -1, 'abcd'],
    ['d', 1, 'abcd'],
    ['gone', 1, 'abcd'],
  ] as const)('%s goes a place by %d, as far as there is one', (id, step, after) => {
    expect(stepped(ids, id, step).join('')).toBe(after)
  })

  test('changes places with those alone that have not started either', () => {
    const all = ['started', ...ids].map((id) => ({ id }))
    const shown = inOrder(all, ['d', 'c', 'b', 'a']).map(({ id }) => id)
    expect(shown).toEqual(['started', 'd', 'c', 'b', 'a'])
  })

  test('is not sent where nothing has changed', () => {
    expect([isSameOrder(ids, [...ids]), isSameOrder(ids, ['a'])]).toEqual([true, false])
  })
})
