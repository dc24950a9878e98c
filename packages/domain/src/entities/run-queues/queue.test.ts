import type { EntryReason, EntryState } from '@svc/contracts/run-queue'
import { describe, expect, test } from 'vitest'
import {
  change,
  dispatch,
  unpause,
  grantTurn,
  inFlight,
  isDue,
  requestAdvance,
  pauseBy,
  pauseFor,
  place,
  putOff,
  remove,
  reorder,
  run,
  settle,
} from './queue.ts'
import { entryOf, namesOf, queueOf } from '../../run-queues/testing.ts'

describe('an entry is placed', () => {
  const queue = queueOf('a', 'b', 'c')
  test.each([
    ['last', 'last', 'a b c d'],
    ['first', { front: true }, 'd a b c'],
    ['behind another one', { after: 'a' }, 'a d b c'],
    ['behind the last one', { after: 'c' }, 'a b c d'],
    ['at a position', { position: 2 }, 'a d b c'],
    ['last when there is no such position', { position: 9 }, 'a b c d'],
  ] as const)('%s', (_, where, order) => {
    expect(namesOf(place(queue, entryOf('d'), where))).toBe(order)
  })

  test('anew, counted without itself', () => {
    const [a] = queue.entries
    expect(a && namesOf(place(queue, a, { position: 3 }))).toBe('b c a')
    expect(a && namesOf(place(queue, a, { after: 'b' }))).toBe('b a c')
  })
})

describe('an order', () => {
  const queue = queueOf('a', 'b', 'c')
  test('of every entry once is taken', () => {
    const ordered = reorder(queue, ['c', 'a', 'b'])
    expect('entries' in ordered && namesOf(settle(ordered))).toBe('c a b')
  })
  test.each([
    [['a', 'b'], ['c'], []],
    [['a', 'b', 'c', 'd'], [], ['d']],
    [['a', 'b', 'b', 'c'], [], []],
    [['a', 'x', 'c'], ['b'], ['x']],
    [[], ['a', 'b', 'c'], []],
  ])('of %j is refused', (ids, missing, unknown) => {
    expect(reorder(queue, ids)).toEqual({ missing, unknown })
  })
})

describe('the pending advance of a queue', () => {
  test('is one, however many deliveries ask for it', () => {
    const once = settle(requestAdvance(queueOf('a')))
    const later = { ...once, now: new Date(once.now.getTime() + 1000) }
    expect(settle(requestAdvance(later)).row.advance_pending_since).toEqual(
      once.row.advance_pending_since,
    )
  })
  test('is made when a dispatched entry runs', () => {
    const sent = settle(dispatch(requestAdvance(queueOf('a', 'b')), 'a', 'request'))
    expect(sent.row.advance_pending_since).not.toBeNull()
    expect(settle(run(sent, 'a')).row.advance_pending_since).toBeNull()
  })
  test.each([
    ['an empty queue', (queue = queueOf()) => queue],
    ['the last one that waited being taken out', () => remove(queueOf('a'), 'a')],
    ['the last one that waited being held', () => putOff(queueOf('a'), 'a', 'no_agent')],
  ])('lapses with %s', (_, of) => {
    expect(settle(requestAdvance(of())).row.advance_pending_since).toBeNull()
  })
})

describe('a queue looks for something to launch', () => {
  const pending = requestAdvance(queueOf('a', 'b'))
  const granted = grantTurn(putOff(queueOf('a'), 'a', 'run_lost'), 'a', 'alice')
  test.each([
    ['when an advance is pending', pending, true],
    ['when a turn is granted', granted, true],
    ['never by what is in it alone', queueOf('a', 'b'), false],
    ['never while it is paused', pauseBy(pending, 'alice'), false],
    ['never while an entry is in flight', dispatch(pending, 'a', 'request'), false],
  ])('%s', (_, queue, due) => {
    expect(isDue(queue)).toBe(due)
  })
})

describe('a retry', () => {
  const held = putOff(queueOf('a', 'b'), 'b', 'run_failed')
  test('has the entry wait as the next in line', () => {
    expect(grantTurn(held, 'b', 'alice').entries[1]).toMatchObject({
      state: 'waiting',
      reason: 'turn',
      turn_granted_by: 'alice',
    })
  })
  test('ends a pause that the end of a run brought, and none that a person did', () => {
    expect(grantTurn(pauseFor(held, 'run_failed', 'alice'), 'b', 'alice').row.paused_at).toBeNull()
    expect(grantTurn(pauseBy(held, 'bob'), 'b', 'alice').row.paused_by).toBe('bob')
  })
})

describe('a pause', () => {
  test('by a person replaces one that a run brought', () => {
    const { row } = pauseBy(pauseFor(queueOf('a'), 'run_lost', 'alice'), 'alice')
    expect(row).toMatchObject({ paused_by: 'alice', pause_reason: null })
  })
  test('by a person stays that when a run ends', () => {
    const { row } = pauseFor(pauseBy(queueOf('a'), 'alice'), 'run_lost', 'bob')
    expect(row).toMatchObject({ paused_by: 'alice', pause_reason: null })
  })
  test('leaves the pending advance to be made once it has ended', () => {
    const paused = settle(pauseBy(requestAdvance(queueOf('a')), 'alice'))
    expect(isDue(paused)).toBe(false)
    expect(isDue(settle(unpause(paused)))).toBe(true)
  })
})

describe('an entry that is put off', () => {
  test.each<[EntryReason, EntryState]>([
    ['mission_busy', 'waiting'],
    ['resource_not_connected', 'waiting'],
    ['no_instruction', 'held'],
    ['no_agent', 'held'],
    ['resource_read_only', 'held'],
    ['forbidden', 'held'],
    ['run_failed', 'held'],
    ['question_expired', 'held'],
  ])('for %s is %s', (reason, state) => {
    expect(putOff(queueOf('a'), 'a', reason).entries[0]).toMatchObject({ state, reason })
  })
  test('keeps a granted turn until a run of it has ended', () => {
    const granted = change(queueOf('a'), 'a', { turn_granted_by: 'alice' })
    expect(putOff(granted, 'a', 'mission_busy').entries[0]?.turn_granted_by).toBe('alice')
    expect(putOff(granted, 'a', 'run_lost').entries[0]?.turn_granted_by).toBeNull()
  })
})

test('each dispatch is another attempt', () => {
  const first = dispatch(queueOf('a', 'b'), 'a', 'one')
  expect(inFlight(first)).toMatchObject({ attempt: 1, execution_request_id: 'one', reason: null })
  expect(inFlight(dispatch(first, 'a', 'two'))).toMatchObject({ attempt: 2 })
})

test('what is written has positions without gaps', () => {
  const { entries } = settle(remove(queueOf('a', 'b', 'c'), 'a'))
  expect(entries.map(({ id, position }) => [id, position])).toEqual([
    ['b', 1],
    ['c', 2],
  ])
})
