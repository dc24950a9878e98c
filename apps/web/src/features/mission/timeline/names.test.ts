import { expect, test } from 'vitest'
import type { Overview } from '../patch-overview.ts'
import { namesIn, namesOf } from './names.ts'

// the parts that names are made of
const known = namesOf({
  objectives: [{ id: 'one', displayId: 'web:1.aaaa' }],
  executionRequests: [
    { objectiveId: 'one', agent: 'claude' },
    { objectiveId: 'one', agent: 'codex' },
  ],
  workers: [],
} as unknown as Overview)

test.each([
  ['a person by their name', 'person', { person: 'Ada' }],
  ['an agent by its own', 'agent', { agent: 'claude' }],
  ['a runner by none', 'runner', {}],
  ['the service by none', 'service', {}],
])('a line names %s', (_whom, role, names) => {
  const line = { objectiveId: 'one', actor: { name: 'Ada', role } }
  expect(namesIn(line, known)).toEqual({ objective: 'web:1.aaaa', ...names })
})

test('a line of what nobody knows here, or that the feed has just told, names nobody', () => {
  expect(namesIn({ objectiveId: 'gone', actor: undefined }, known)).toEqual({})
  const agent = { name: 'Ada', role: 'agent' }
  expect(namesIn({ objectiveId: null, actor: agent }, known).agent).toBe('The agent')
})
