import type { RunQueueEntry, WholeQueue } from '@svc/contracts/run-queue'
import { expect, test } from 'vitest'
import { needsStart, waitOf } from './queues.ts'

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

test.each<[WholeQueue['state'], string, string | null]>([
  [
    'idle',
    'It is the first: a start launches it, and so does the next delivery of its project.',
    null,
  ],
  ['running', 'It is the next: the delivery of what runs launches it.', null],
  ['owing', 'It is about to be launched.', null],
  ['paused', 'It is the first: a start launches it and ends the pause.', null],
  ['paused', 'It is the first, once its queue goes on.', '2026-11-26T12:00:00Z'],
])(
  'the first that waits in a queue that is %s is told when its turn comes: %s',
  (state, said, advanceOwedSince) => {
    expect(waitOf(a, { state, entries: [a, b], advanceOwedSince })).toEqual([said])
    expect(waitOf(b, { state, entries: [a, b], advanceOwedSince })).toEqual([
      'Others stand before it.',
      'It goes on by itself once that is over.',
    ])
  },
)

test.each([
  ['mission_busy', 'waiting', 'It goes on by itself once that is over.'],
  ['no_instruction', 'held', 'A person ends it, and then it is looked at again.'],
  ['run_failed', 'held', 'A person ends it by trying it again.'],
] as const)('%s says who ends it', (reason, state, ends) => {
  const entry = entryOf('a', { reason, state })
  expect(waitOf(entry, { state: 'idle', entries: [entry], advanceOwedSince: null })).toContain(ends)
})

test('what runs waits for its provider alone', () => {
  const running = entryOf('a', { state: 'running', reason: null })
  expect(waitOf(running, { state: 'running', entries: [running], advanceOwedSince: null })).toEqual(
    [],
  )
  const hold = { agent: 'claude', reason: 'quota', until: '2026-11-26T12:00:00Z' } as const
  const held = { ...running, state: 'dispatched', hold } as const
  expect(waitOf(held, { state: 'running', entries: [held], advanceOwedSince: null })).toEqual([
    'The quota of its account is used up.',
  ])
})

test('a granted turn is the next, wherever it stands', () => {
  const granted = entryOf('b', { turnGrantedBy: 'alice' })
  expect(waitOf(granted, { state: 'idle', entries: [a, granted], advanceOwedSince: null })).toEqual(
    ['Somebody has said that its turn is next.'],
  )
})

test('a pause whose end would launch nothing needs a start', () => {
  const paused: Parameters<typeof needsStart>[0] = {
    state: 'paused',
    entries: [a, b],
    advanceOwedSince: null,
  }
  expect(needsStart(paused)).toBe(true)
  expect(needsStart({ ...paused, state: 'idle' })).toBe(false)
  expect(needsStart({ ...paused, advanceOwedSince: '2026-11-26T12:00:00Z' })).toBe(false)
  expect(needsStart({ ...paused, entries: [entryOf('a', { state: 'running' }), b] })).toBe(false)
  expect(needsStart({ ...paused, entries: [a, entryOf('b', { turnGrantedBy: 'alice' })] })).toBe(
    false,
  )
  expect(needsStart({ ...paused, entries: [] })).toBe(false)
})
