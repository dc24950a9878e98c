import { RefusedError, UnreachableError } from '@svc/client/errors'
import { expect, test } from 'vitest'
import { isUnanswered } from './unanswered.ts'

const refusal = (status: number, code: 'internal' | 'unavailable' | 'not_found') =>
  new RefusedError(status, {
    code,
    message: 'No.',
    requestId: 'r',
    details: undefined,
    next: undefined,
  })

test('what broke off on the way may have been done, and what was refused was not', () => {
  expect(isUnanswered(new UnreachableError('away'))).toBe(true)
  expect(isUnanswered(new UnreachableError('no service', { mayPass: false }))).toBe(false)
  expect(isUnanswered(refusal(500, 'internal'))).toBe(true)
  // of a long answer, whose status was sent before
  expect(isUnanswered(refusal(200, 'unavailable'))).toBe(true)
  expect(isUnanswered(refusal(404, 'not_found'))).toBe(false)
})
