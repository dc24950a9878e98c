import { expect, test } from 'vitest'
import { readFilters, searchOf } from './filters.ts'

test.each([
  ['', { state: undefined, type: undefined }],
  ['state=held&type=acme:thing&do=test', { state: 'held', type: 'acme:thing' }],
  ['state=lost&type=', { state: undefined, type: undefined }],
])('the address %j says which deliveries are shown', (search, filters) => {
  expect(readFilters(search)).toEqual(filters)
})

test('what is chosen can be kept as an address', () => {
  const filters = { state: 'failed', type: 'acme:thing' } as const
  expect(readFilters(new URLSearchParams(searchOf(filters)).toString())).toEqual(filters)
  expect(searchOf({ state: undefined, type: undefined })).toEqual({})
})
