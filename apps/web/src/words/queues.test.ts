import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { expect, test } from 'vitest'
import { waitOf } from './queues.ts'

const entryOf = (id: string, more: Partial<RunQueueEntry> = {}): RunQueueEntry => ({
  id,
  objectiveId: `objective of ${id}`,
  displayId: `web:1.${id}`,
  title: id,
  position: 1,
  state: 'waiting',
  reason: 'turn',
  waitingOn: null,
  attempt: 0,
  turnGrantedBy: null,
  queuedBy: 'alice',
  executionRequestId: null,
  hold: null,
  ...more,
})
const [a, b] = [entryOf('a'), entryOf('b')]

test.each([
  ['idle', 'It is the first: a start launches it, and so does the next delivery of its project.'],
  ['running', 'It is the next: the delivery of what runs launches it.'],
  ['owing', 'It is about to be launched.'],
  ['paused', 'It is the first, once its queue goes on.'],
] as const)(
  'the first that waits in a queue that is %s is told when its turn comes',
  (state, said) => {
    expect(waitOf(a, { state, entries: [a, b] })).toEqual([said])
    expect(waitOf(b, { state, entries: [a, b] })).toEqual([
      'Others stand before it.',
      'It ends by itself.',
    ])
  },
)

test.each([
  ['mission_busy', 'waiting', 'It ends by itself.'],
  ['no_instruction', 'held', 'A person ends it, and then it is looked at again.'],
  ['run_failed', 'held', 'A person ends it by trying it again.'],
] as const)('%s says who ends it', (reason, state, ends) => {
  const entry = entryOf('a', { reason, state })
  expect(waitOf(entry, { state: 'idle', entries: [entry] })).toContain(ends)
})

test('what runs waits for its provider alone', () => {
  const running = entryOf('a', { state: 'running', reason: null })
  expect(waitOf(running, { state: 'running', entries: [running] })).toEqual([])
  const hold = { agent: 'claude', reason: 'quota', until: '2026-11-26T12:00:00Z' } as const
  const held = { ...running, state: 'dispatched', hold } as const
  expect(waitOf(held, { state: 'running', entries: [held] })).toEqual([
    'The quota of its account is used up.',
  ])
})

test('a granted turn is the next, wherever it stands', () => {
  const granted = entryOf('b', { turnGrantedBy: 'alice' })
  expect(waitOf(granted, { state: 'idle', entries: [a, granted] })).toEqual([
    'Somebody has said that its turn is next.',
  ])
})
