import { expect, test } from 'vitest'
import { firstDay, mondaysFrom } from './weeks.ts'

const thursday = Date.parse('2026-11-26T23:59:59Z')

test('a week begins on its Monday, whatever day it is', () => {
  expect(firstDay(1, thursday)).toBe('2026-11-23')
  expect(firstDay(1, Date.parse('2026-11-23T00:00:00Z'))).toBe('2026-11-23')
  expect(firstDay(1, Date.parse('2026-11-22T23:59:59Z'))).toBe('2026-11-16')
  expect(firstDay(13, thursday)).toBe('2026-08-31')
})

test('all weeks are there, also those without a run, and no fewer than are known', () => {
  expect(mondaysFrom('2026-11-09', undefined, thursday)).toEqual([
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
  ])
  expect(mondaysFrom('2026-11-23', '2026-12-07', thursday)).toHaveLength(3)
  expect(mondaysFrom('2027-01-04', undefined, thursday)).toEqual([])
  expect(mondaysFrom(firstDay(104, thursday), undefined, thursday)).toHaveLength(104)
})
