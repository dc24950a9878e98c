import { ServiceError } from '@svc/contracts/errors'
import { expect, test } from 'vitest'
import { fatalRefusal } from './daemon-error.ts'

test('a runner whose token is dead is told to sign in, not of the header that it sends', () => {
  const error = new ServiceError('unauthenticated', 'Send one as: Authorization: Bearer <token>')
  const refusal = fatalRefusal(error)
  expect(refusal?.message).toContain('Sign in with svc login')
  expect(refusal?.message).not.toContain('Bearer')
})

test('a runner that is too old for its service ends with the command that helps', () => {
  const next = { operation: 'installVersion', params: { version: '2.0.0' } } as const
  const error = new ServiceError('upgrade_required', 'This is too old.', {}, { next })
  expect(fatalRefusal(error)).toMatchObject({
    exitCode: 5,
    message:
      'This is too old. Install that of the service on this machine with: npm install --global svc-2.0.0.tgz',
  })
})
