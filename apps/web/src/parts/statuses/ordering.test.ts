import { RefusedError, UnreachableError } from '@svc/client/errors'
import type { Project, ProjectStatus } from '@svc/contracts/project'
import { describe, expect, test } from 'vitest'
import { judge, nextTry, orderingOf } from './ordering.ts'
import type { Statuses } from './reads.ts'

const project: Project = {
  id: 'p',
  slug: 'web',
  name: 'Web',
  defaultBranch: 'main',
  useWorktrees: true,
  maxRuntimeMinutes: null,
  revision: 4,
  createdAt: '2026-01-01T00:00:00Z',
}

const standing = (order: string, revision = 4): Statuses => ({
  project: { ...project, revision },
  statuses: order
    .split(' ')
    .map((id, at): ProjectStatus => ({ id, type: 'draft', label: id, position: at + 1 })),
})

/** c was taken to the front. */
const ordering = orderingOf(standing('a b c d'), { id: 'c', label: 'c' }, ['c', 'a', 'b', 'd'])

const mismatch = (current: Statuses | null) =>
  new RefusedError(409, {
    code: 'revision_mismatch',
    message: 'It was changed meanwhile.',
    details: { currentRevision: 6, current },
    next: undefined,
    requestId: undefined,
  })

describe('an order of statuses that was refused', () => {
  test.each([
    ['something else was changed', 'a b c d', 'c a b d'],
    ['one was made', 'a b c d e', 'c a b d e'],
    ['one was deleted', 'a c d', 'c a d'],
  ])('because %s goes out again on top of that', (_what, order, wanted) => {
    const judged = judge(ordering, mismatch(standing(order, 6)))
    expect(judged).toMatchObject({
      why: 'resend',
      ordering: { wanted: wanted.split(' '), before: order.split(' '), expectedRevision: 6 },
    })
    expect(judged.why === 'resend' && judged.ordering.key).not.toBe(ordering.key)
  })

  test('because somebody else made the same one is made', () => {
    expect(judge(ordering, mismatch(standing('c a b d', 6)))).toEqual({ why: 'done' })
  })

  test('because somebody else made another one is made on top of it if wanted', () => {
    const moved = { ...ordering, wanted: ['a', 'c', 'b', 'd'] }
    const judged = judge(moved, mismatch(standing('d c b a', 6)))
    if (judged.why !== 'ordered') throw new Error(judged.why)
    expect(nextTry(judged)).toMatchObject({ wanted: ['d', 'b', 'a', 'c'], expectedRevision: 6 })
  })

  test('because what was moved is gone is not tried again', () => {
    const judged = judge(ordering, mismatch(standing('a b d', 6)))
    if (judged.why !== 'gone') throw new Error(judged.why)
    expect(nextTry(judged)).toBeUndefined()
  })

  test('for another reason, or without a word of what stands, says why', () => {
    const judged = judge(ordering, mismatch(null))
    expect(judged.why).toBe('refused')
    const other = judge(ordering, new Error('no'))
    if (other.why !== 'refused') throw new Error(other.why)
    expect(other.error.message).toBe('no')
    expect(nextTry(other)?.key).not.toBe(ordering.key)
  })
})

test('an order without an answer is sent again as it was, under its key', () => {
  const judged = judge(ordering, new UnreachableError('away', { mayPass: true }))
  if (judged.why !== 'unanswered') throw new Error(judged.why)
  expect(nextTry(judged)).toBe(ordering)
})
