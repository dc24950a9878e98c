import { RefusedError, UnreachableError } from '@svc/client/errors'
import { describe, expect, test } from 'vitest'
import { withOrder } from '../../parts/order/judge-order.ts'
import { type Ordering, type Standing, judge, nextTry } from './ordering.ts'

/** The next try of what is not settled by itself. */
function nextOf(judged: ReturnType<typeof judge>) {
  if (judged.why === 'resend' || judged.why === 'done')
    throw new Error('nobody has to try it again')
  return nextTry(judged)
}

/** c was taken to the front. */
const ordering: Ordering = {
  queue: { id: 'queue', name: 'Default' },
  moved: { id: 'c', displayId: 'web:1.c' },
  before: ['a', 'b', 'c', 'd'],
  wanted: ['c', 'a', 'b', 'd'],
  expectedRevision: 4,
  key: 'first',
}

const conflict = (order: string, more: Partial<Standing> = {}) =>
  new RefusedError(409, {
    code: 'order_conflict',
    message: 'The order was not changed.',
    details: { currentOrder: order.split(' '), inFlightEntryId: null, revision: 6, ...more },
    next: undefined,
    requestId: undefined,
  })

describe('an order that was refused', () => {
  test.each([
    ['an entry came', 'a b c d e', null, 'c a b d e'],
    ['an entry went', 'a c d', null, 'c a d'],
    ['the first was launched, which keeps its place', 'a b c d', 'a', 'a c b d'],
  ])('because %s goes out again on top of that', (_what, order, inFlightEntryId, wanted) => {
    const judged = judge(ordering, conflict(order, { inFlightEntryId }))
    expect(judged).toMatchObject({
      why: 'resend',
      ordering: { wanted: wanted.split(' '), before: order.split(' '), expectedRevision: 6 },
    })
    expect('ordering' in judged && judged.ordering.key).not.toBe('first')
  })

  test('because somebody else made the same one is made', () => {
    expect(judge(ordering, conflict('c a b d')).why).toBe('done')
  })

  test('because somebody else made another one is taken back, and made behind the same one if wanted', () => {
    const moved = { ...ordering, wanted: ['a', 'c', 'b', 'd'] }
    const judged = judge(moved, conflict('d c b a'))
    expect(judged.why).toBe('ordered')
    expect(nextOf(judged)).toMatchObject({ wanted: ['d', 'b', 'a', 'c'], expectedRevision: 6 })
  })

  test.each([
    ['was launched', 'a b c d', 'c', 'launched'],
    ['is not in it any more', 'a b d', null, 'gone'],
  ])('because what was moved %s is not tried again', (_what, order, inFlightEntryId, why) => {
    const judged = judge(ordering, conflict(order, { inFlightEntryId }))
    expect(judged).toMatchObject({ why })
    expect(nextOf(judged)).toBeUndefined()
  })
})

test('an order without an answer is sent again as it was, under its key', () => {
  const judged = judge(ordering, new UnreachableError('away', { mayPass: true }))
  expect(judged.why).toBe('unanswered')
  expect(nextOf(judged)).toBe(ordering)
})

test('what is not named in an order keeps its place', () => {
  expect(withOrder(['a', 'run', 'b', 'c'], ['c', 'a', 'b'])).toEqual(['c', 'run', 'a', 'b'])
})
