import { oauthScope } from '@svc/domain/oauth/grants'
import type { OAuthErrorCode } from '@svc/domain/oauth/error'
import { challengeMethod, isChallenge } from '@svc/domain/oauth/pkce'
import { isCanonical } from '@svc/domain/oauth/resource'
import type { Parameters } from '../parameters.ts'

interface Check {
  word: OAuthErrorCode
  isPassed: (given: Parameters, resource: string) => boolean
  /** What the client should send instead. */
  advice: string
}

const mostState = 2_048

/** The checks of a request whose client may get an answer, in this order: the first that fails is the answer. */
const checks: readonly Check[] = [
  {
    word: 'invalid_request',
    isPassed: (given) => given.doubled() === undefined,
    advice: 'send each parameter once; resource alone may be repeated',
  },
  {
    word: 'invalid_request',
    isPassed: (given) => given.one('response_type') !== undefined,
    advice: 'send response_type=code',
  },
  {
    word: 'unsupported_response_type',
    isPassed: (given) => given.one('response_type') === 'code',
    advice: 'send response_type=code',
  },
  {
    word: 'invalid_request',
    isPassed: (given) => (given.one('response_mode') ?? 'query') === 'query',
    advice: 'leave response_mode out',
  },
  {
    word: 'invalid_request',
    isPassed: (given) => (given.one('state') ?? '').length <= mostState,
    advice: `keep state within ${mostState} characters`,
  },
  {
    word: 'invalid_request',
    isPassed: (given) => given.one('code_challenge_method') === challengeMethod,
    advice: `send code_challenge_method=${challengeMethod}`,
  },
  {
    word: 'invalid_request',
    isPassed: (given) => isChallenge(given.one('code_challenge')),
    advice: 'send code_challenge, the base64url of a SHA-256',
  },
  {
    word: 'invalid_scope',
    isPassed: (given) => {
      const scope = given.one('scope')
      return scope === undefined || scope.split(' ').every((one) => one === oauthScope)
    },
    advice: `ask for ${oauthScope}, or for no scope`,
  },
  {
    word: 'invalid_target',
    isPassed: (given, resource) => isCanonical(given.all('resource'), resource),
    advice: 'ask for the resource that the protected-resource metadata names',
  },
]

export function findFault(given: Parameters, resource: string): Check | undefined {
  return checks.find(({ isPassed }) => !isPassed(given, resource))
}
