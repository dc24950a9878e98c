import { expect, test } from 'vitest'
import { readFilters, requestOf, searchOf } from './filters.ts'

const id = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b01'

test.each([
  ['', { limit: 50 }],
  [`who=${id}&of=${id}&cursor=${id}`, { limit: 50, actorId: id, targetId: id, cursor: id }],
  ['who=alice&of=web:12&cursor=x', { limit: 50 }],
  ['what=token.minted', { limit: 50, action: 'token.minted' }],
  ['what=danced', { limit: 50 }],
  [
    'since=2026-11-02&until=2026-11-30',
    {
      limit: 50,
      since: new Date(2026, 10, 2).toISOString(),
      before: new Date(2026, 11, 1).toISOString(),
    },
  ],
  ['since=0000-00-00&until=soon', { limit: 50 }],
])('an address asks for some of the entries: %j', (search, request) => {
  const filters = readFilters(search)
  expect(requestOf(filters)).toEqual(request)
  expect(readFilters(new URLSearchParams(searchOf(filters)).toString())).toEqual(filters)
})
