import { expect, test } from 'vitest'
import { mostOf, partsOf } from './bars.ts'
import { type Sum, columns, describeSum } from './sums.ts'

const nothing: Sum = {
  runs: 0,
  runsOfUnknownCost: 0,
  runsOfUnknownTokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd: '0',
  seconds: 0,
  ends: { delivered: 0, exited: 0, lost: 0, cancelled: 0, failed: 0 },
}
const some: Sum = {
  ...nothing,
  runs: 5,
  runsOfUnknownCost: 1,
  usd: '1.25',
  seconds: 61,
  ends: { ...nothing.ends, delivered: 2, lost: 1 },
}
const silent: Sum = { ...nothing, runs: 1, runsOfUnknownCost: 1, runsOfUnknownTokens: 1 }
const cell = (sum: Sum, key: string) => columns.find((column) => column.key === key)?.say(sum)

test('the parts of a bar are as long as what they stand for, and follow one another', () => {
  const parts = partsOf(some, 'runs', 10)
  expect(parts).toEqual([
    { of: 'delivered', value: 2, from: 0, length: 20 },
    { of: 'lost', value: 1, from: 20, length: 10 },
    { of: 'open', value: 2, from: 30, length: 20 },
  ])
  expect(partsOf(nothing, 'runs', 0)).toEqual([])
  expect(mostOf([some, silent], 'runs')).toBe(5)
  expect(mostOf([], 'cost')).toBe(0)
})

test('a cost that was not told is marked, and has no bar', () => {
  expect(partsOf(silent, 'cost', 2).map(({ of }) => of)).toEqual(['untold'])
  expect(partsOf(some, 'cost', 2.5)).toMatchObject([{ of: 'cost', length: 50 }, { of: 'untold' }])
  const free = { ...some, usd: '0', runsOfUnknownCost: 0 }
  expect(partsOf(free, 'cost', 0)).toEqual([{ of: 'cost', value: 0, from: 0, length: 0 }])
})

test('what was not told is said so, and is no 0', () => {
  expect(cell(silent, 'cost')).toBe('cost not told by the tool')
  expect(cell(silent, 'inputTokens')).toBe('not told by the tool')
  expect(cell({ ...silent, runs: 2 }, 'cost')).toBe('$0')
  expect(cell(some, 'open')).toBe('2')
  expect(describeSum(silent)).toBe('1 run, cost not told by the tool, 0 s.')
  expect(describeSum(some)).toBe(
    '5 runs, $1.25 and 1 run whose cost was not told by the tool, 1 min 1 s.',
  )
  expect(describeSum(nothing)).toBe('No run of these weeks is over yet.')
})
