import { expect, test } from 'vitest'
import { boundsOf, budgetOf } from '../../parts/budget/bounds.ts'
import { describeBounds, readBounds, writeBounds } from './bounds-draft.ts'

test('what is written of a budget is kept as it is written, and sent as what it bounds', () => {
  const bounds = { usd: ' 12.5 ', tokens: '', runs: '0' }
  expect(readBounds(writeBounds(bounds))).toEqual(bounds)
  expect(budgetOf(bounds)).toEqual({ usd: '12.5', tokens: null, runs: 0 })
  expect(budgetOf(boundsOf({ usd: null, tokens: 42, runs: null }))).toEqual({
    usd: null,
    tokens: 42,
    runs: null,
  })
  expect(describeBounds(boundsOf({ usd: null, tokens: 42, runs: null }))).toBe(
    'Dollars: no bound\nTokens: 42\nRuns: no bound',
  )
})

test.each(['', '{}', '[1, {}]', 'null'])('a draft that is none is an empty budget: %j', (text) => {
  expect(readBounds(text)).toEqual({ usd: '', tokens: '', runs: '' })
})
