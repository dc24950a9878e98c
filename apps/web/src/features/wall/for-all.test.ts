import type { Need, NeedCounts } from '@svc/contracts/need'
import { expect, test } from 'vitest'
import { needKinds } from '../../data/contracts.values.ts'
import { forAll } from './for-all.ts'

test('a wall tells nobody of webhooks and tokens, whoever is signed in there', () => {
  const counts = Object.fromEntries(
    needKinds.map((kind) => [kind, { mine: 1, all: 2 }]),
    // it has a row for each kind
  ) as NeedCounts
  // as far as it is looked at
  const needs = needKinds.map((kind) => ({ kind, id: kind })) as unknown as Need[]
  const told = forAll({ needs, counts })
  const hidden = ['disabled_webhook', 'ending_token']
  expect(told.needs.map(({ kind }) => kind)).toEqual(
    needKinds.filter((kind) => !hidden.includes(kind)),
  )
  expect(needKinds.filter((kind) => told.counts[kind].all === 0)).toEqual(hidden)
})
