import { expect, test } from 'vitest'
import { verifies } from './verifies.ts'

test('one id stands in brackets behind the title', () => {
  expect(verifies('launch.one-active', 'only one run')).toBe('only one run [launch.one-active]')
})

test('several ids keep their order', () => {
  expect(verifies(['b.two', 'a.one'], 'both')).toBe('both [b.two] [a.one]')
})
