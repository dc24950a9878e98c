import { OAuthError, type OAuthErrorCode } from '@svc/domain/oauth/error'
import type { Parameters } from '../parameters.ts'

interface Check {
  word: OAuthErrorCode
  isPassed: (given: Parameters) => boolean
  message: string
}

/** The checks that need nothing from the database. */
const checks: readonly Check[] = [
  {
    word: 'invalid_request',
    isPassed: (given) => given.one('grant_type') !== undefined,
    message: 'Send grant_type=authorization_code.',
  },
  {
    word: 'unsupported_grant_type',
    isPassed: (given) => given.one('grant_type') === 'authorization_code',
    message:
      'The one grant here is authorization_code; a token lasts 90 days and is not refreshed.',
  },
  {
    word: 'invalid_request',
    isPassed: (given) => given.one('client_id') !== undefined,
    message: 'Send client_id.',
  },
  {
    word: 'invalid_request',
    isPassed: (given) => given.one('code') !== undefined,
    message: 'Send code.',
  },
]

export function requireExchange(given: Parameters): void {
  const failed = checks.find(({ isPassed }) => !isPassed(given))
  if (failed) throw new OAuthError(failed.word, failed.message)
}
