import { expect, test } from 'vitest'
import { readFilters, requestForAgents, requestForWeeks, searchOf } from './filters.ts'

const now = Date.parse('2026-11-26T12:00:00Z')

test.each([
  ['', { since: '2026-08-31', by: 'week' }, { by: 'agent' }],
  ['project=web&weeks=4', { since: '2026-11-02', by: 'week', projectId: 'web' }, { by: 'agent' }],
  ['weeks=1000000', { since: '2026-08-31', by: 'week' }, { by: 'agent' }],
  ['by=model&agent=claude', { agent: 'claude', by: 'week' }, { by: 'agent,model' }],
  ['agent=claude&model=large', { agent: 'claude', model: 'large' }, { by: 'agent' }],
  ['agent=claude&model=', { agent: 'claude', ownModel: 'true' }, { by: 'agent' }],
  ['model=large', { by: 'week' }, { by: 'agent' }],
])('an address asks for some of the runs: %j', (search, weeks, agents) => {
  const filters = readFilters(search)
  expect(requestForWeeks(filters, now)).toMatchObject(weeks)
  expect(requestForAgents(filters, now)).toMatchObject(agents)
  expect(requestForAgents(filters, now)).not.toHaveProperty('agent')
  expect(readFilters(new URLSearchParams(searchOf(filters)).toString())).toEqual(filters)
})
