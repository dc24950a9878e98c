import { expect, test } from 'vitest'
import { changesOf } from './changes-of.ts'

const before = { title: 'a', budget: { usd: '5', runs: null }, worktrees: null }

test('only what is other than before is a change', () => {
  expect(changesOf(before, { ...before, budget: { usd: '5', runs: null } })).toEqual({})
  expect(changesOf(before, { title: 'b' })).toEqual({ title: 'b' })
  expect(changesOf(before, { budget: { usd: null as unknown as string, runs: null } })).toEqual({
    budget: { usd: null },
  })
})
