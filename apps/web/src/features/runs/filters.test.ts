import { expect, test } from 'vitest'
import { liveRunStates } from '../../data/contracts.values.ts'
import { readFilters, requestOf, searchOf } from './filters.ts'

test.each([
  ['', { limit: 50 }],
  ['project=web&states=failed,lost', { limit: 50, projectId: 'web', states: 'failed,lost' }],
  ['states=live', { limit: 50, states: liveRunStates.join(',') }],
  ['states=dancing', { limit: 50 }],
  ['runner=r1&objective=web:12.k7qd', { limit: 50, runnerId: 'r1', objectiveId: 'web:12.k7qd' }],
  ['mission=web:12', { limit: 50, missionId: 'web:12' }],
])('an address asks for some of the runs: %j', (search, request) => {
  const filters = readFilters(search)
  expect(requestOf(filters)).toEqual(request)
  expect(readFilters(new URLSearchParams(searchOf(filters)).toString())).toEqual(filters)
})
