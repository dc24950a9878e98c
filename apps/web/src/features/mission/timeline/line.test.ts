import type { FeedChange } from '@svc/contracts/feed'
import { expect, test } from 'vitest'
import { lineOfChange, passes } from './line.ts'

const change: FeedChange = {
  entity: 'mission_event',
  entityId: 'event',
  operation: 'ask',
  revision: null,
  projectId: 'project',
  missionId: 'mission',
  data: { summary: 'Keep it?', objectiveId: 'one' },
  at: '2026-11-26T00:00:00.000Z',
}

test('the feed tells a line of the history, all but who wrote it', () => {
  expect(lineOfChange(change, 'mission')).toEqual({
    id: 'event',
    type: 'ask',
    summary: 'Keep it?',
    objectiveId: 'one',
    actor: undefined,
    createdAt: change.at,
  })
})

test('a line keeps what became of what it tells', () => {
  const data = { ...change.data, outcome: 'failed' }
  const line = lineOfChange({ ...change, operation: 'check_run', data }, 'mission')
  expect(line).toMatchObject({ type: 'check_run', outcome: 'failed' })
})

test('what is of another mission or no entry of its history is no line', () => {
  expect(lineOfChange(change, 'other')).toBeUndefined()
  expect(lineOfChange({ ...change, entity: 'question' }, 'mission')).toBeUndefined()
})

test.each([
  [{}, true],
  [{ types: ['ask'] }, true],
  [{ types: ['delivery'] }, false],
  [{ objectiveId: 'one' }, true],
  [{ types: ['ask'], objectiveId: 'two' }, false],
])('a line that is told passes the filter as one that is read does: %j', (filter, does) => {
  const line = lineOfChange(change, 'mission')
  expect(line && passes(filter, line)).toBe(does)
})
