import { expect, test } from 'vitest'
import { sayMoves } from './say-moves.ts'

test('what others moved is said in one sentence, of many the first by name', () => {
  expect(sayMoves([{ displayId: 'web:12', to: 'Done' }])).toBe('Moved by others: web:12 to Done')
  const many = [1, 2, 3, 4, 5].map((number) => ({ displayId: `web:${number}`, to: 'Done' }))
  expect(sayMoves(many)).toBe(
    'Moved by others: web:1 to Done, web:2 to Done, web:3 to Done, 2 more',
  )
})

test('of what was moved twice it is said where it is', () => {
  const twice = ['Done', 'Blocked'].map((to) => ({ displayId: 'web:1', to }))
  expect(sayMoves(twice)).toBe('Moved by others: web:1 to Blocked')
})
