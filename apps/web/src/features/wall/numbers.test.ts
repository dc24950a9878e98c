import type { NeedCounts } from '@svc/contracts/need'
import { expect, test } from 'vitest'
import { needKinds } from '../../data/contracts.values.ts'
import { beyond, numbersOf } from './numbers.ts'

const counts = (all: number) =>
  Object.fromEntries(
    needKinds.map((kind) => [kind, { mine: 0, all: kind === 'question' ? all : 0 }]),
    // it has a row for each kind
  ) as NeedCounts
const said = (...given: Parameters<typeof numbersOf>) =>
  numbersOf(...given).map(({ text, of }) => `${text} ${of}`)

test('the head says how much there is, and that there may be more than is counted', () => {
  const many = { running: 5, queued: 2, delivered: 11 }
  expect(said(counts(3), many)).toEqual([
    '3 need somebody',
    '5 run',
    '2 queued',
    '11 delivered today',
  ])
  expect(said(counts(1), { running: 1, queued: 0, delivered: 1_000 })).toEqual([
    '1 needs somebody',
    '1 runs',
    '0 queued',
    '1000+ delivered today',
  ])
  expect(said(counts(1_000), undefined)).toEqual(['1000+ need somebody'])
})

test('what was not read is counted beyond what was', () => {
  const needs = { needs: [], counts: counts(50) }
  const runs = {
    executionRequests: [],
    untaken: {},
    counts: { running: 5, queued: 2, delivered: 0 },
  }
  expect(beyond({ needs, runs })).toBe(0)
  expect(beyond({ needs: { ...needs, nextCursor: 'x' }, runs })).toBe(50)
  expect(beyond({ needs, runs: { ...runs, nextCursor: 'x' } })).toBe(7)
})
