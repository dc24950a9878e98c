import { expect, test } from 'vitest'
import { Usage, addUsage, usageOf } from './usage.ts'

test.each([
  [
    { inputTokens: 12, outputTokens: 0, usd: 0.30000000000000004 },
    { inputTokens: 12, outputTokens: 0, usd: '0.3' },
  ],
  [{ usd: 12 }, { usd: '12' }],
  [{ usd: 1e-9 }, { usd: '0' }],
  [{ usd: 999_999.1234567 }, { usd: '999999.123457' }],
  [{ inputTokens: 1.5, outputTokens: 7 }, { outputTokens: 7 }],
  [{ inputTokens: 1e15, usd: -1 }, undefined],
  [{ usd: Number.NaN }, undefined],
  [{ usd: 1e300 }, undefined],
  [{}, undefined],
])('of %j is kept %j', (printed, kept) => {
  expect(usageOf(printed)).toEqual(kept)
})

test.each(['1e3', '-1', '.5', '01', '0.1234567', '99999999', '', 0.5])('money is not %j', (usd) => {
  expect(Usage.safeParse({ usd }).success).toBe(false)
})

test('what tries of a run add up to is what can be told of one', () => {
  const most = { inputTokens: 1e12, outputTokens: 3, usd: '9999999.999999' }
  const sum = addUsage(most, most)
  expect(sum).toEqual({ ...most, outputTokens: 6 })
  expect(Usage.safeParse(sum).success).toBe(true)
})
