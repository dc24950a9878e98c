import { ServiceError } from '@svc/contracts/errors'
import { expect, test } from 'vitest'
import { fatalRefusal } from './daemon-error.ts'

test('a runner whose token is dead is told to sign in, not of the header that it sends', () => {
  const error = new ServiceError('unauthenticated', 'Send one as: Authorization: Bearer <token>')
  const refusal = fatalRefusal(error)
  expect(refusal?.message).toContain('Sign in with svc login')
  expect(refusal?.message).not.toContain('Bearer')
})
