import { noUsage } from '@svc/contracts/usage'
import { describe, expect, test } from 'vitest'
import { money, sharesOfBudget, short, unknownOf } from './mission.ts'
import { moment } from './moment.ts'
import { againIn, goodFor, until } from './until.ts'

test.each([
  [812, '812'],
  [1_250, '1.2 k'],
  [41_900, '41 k'],
  [1_260_000, '1.2 M'],
])('%d is short as %s', (count, text) => expect(short(count)).toBe(text))

test.each([
  [-1, 'no longer'],
  [9_000, '1 min'],
  [3_603_000, '60 min'],
  [5 * 3_600_000 + 3_000, '5 h'],
  [3 * 86_400_000 + 3_000, '3 days'],
  [14 * 86_400_000 - 3_000, '14 days'],
])('what ends in %d ms stands for %s', (left, text) =>
  expect(until(1_000 + left, 1_000)).toBe(text),
)

test('what is tried again, or can be used, says so also once its time is over', () => {
  expect([againIn(61_000, 1_000), againIn(1_000, 1_000)]).toEqual(['in 1 min', 'now'])
  expect([goodFor(61_000, 1_000), goodFor(1_000, 1_000)]).toEqual([
    'good for another 1 min',
    'good no longer',
  ])
})

test('a moment is said with its zone', () => {
  const at = new Date('2026-11-27T14:05:00Z')
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(at)
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'none'
  expect(moment(at).endsWith(` ${zone}`)).toBe(true)
})

test('money is said to the cent', () => expect(money('1.2')).toBe('$1.20'))

describe('what a mission has used', () => {
  const none = { usd: null, tokens: null, runs: null }
  const usage = { ...noUsage, runs: 2, usd: '1.25', inputTokens: 40_000, outputTokens: 1_900 }

  test('is said of what was used, and next to what it may', () => {
    expect(sharesOfBudget({ usage, budget: none, launches: 2 })).toMatchObject([
      { text: '$1.25', part: undefined },
      { text: '41 k tokens' },
      { text: '2 runs' },
    ])
    const budget = { usd: '5', tokens: null, runs: 2 }
    expect(sharesOfBudget({ usage, budget, launches: 2 })).toMatchObject([
      { text: '$1.25 of $5.00', part: 0.25 },
      { text: '41 k tokens' },
      { text: '2 runs of 2 runs', part: 1 },
    ])
  })

  test('is nothing where nothing ran and nothing is bounded', () => {
    expect(sharesOfBudget({ usage: noUsage, budget: none, launches: 0 })).toEqual([])
  })

  test('leaves out what agents did not say, and says so', () => {
    expect(unknownOf(usage)).toBeUndefined()
    expect(unknownOf({ ...usage, runsOfUnknownCost: 1 })).toBe('the cost of 1 is not known')
    expect(unknownOf({ ...usage, runsOfUnknownCost: 2 })).toBe('their cost is not known')
  })
})
