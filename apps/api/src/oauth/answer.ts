import type { ErrorCode } from '@svc/contracts/errors'
import { translate } from '@svc/domain/common/database-failures'
import { OAuthError } from '@svc/domain/oauth/error'
import type { UseCase } from '@svc/domain/use-case'
import { allowOrigin } from '@svc/http/cors'
import { failureOf } from '@svc/http/error-response'
import type { HttpContext } from '@svc/http/request-context'
import type { OAuthParts } from './parts.ts'

export type OAuthEndpoint = (
  context: HttpContext,
  parts: OAuthParts,
  useCase: UseCase,
) => Promise<Response>

/** What clients of any origin ask without a cookie: never kept on the way, and refused in the words of OAuth. */
export async function answerOAuth(
  context: HttpContext,
  parts: OAuthParts,
  endpoint: OAuthEndpoint,
): Promise<Response> {
  const useCase = useCaseOf(context, parts)
  const response = await ask(context, parts, () => endpoint(context, parts, useCase))
  response.headers.set('cache-control', 'no-store')
  return allowOrigin(response, '*')
}

export function useCaseOf(context: HttpContext, { domain, limiter }: OAuthParts): UseCase {
  return { domain, signal: context.req.raw.signal, from: limiter.networkOf(context) }
}

async function ask(
  context: HttpContext,
  { limiter, log }: OAuthParts,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    limiter.takeAnonymous(context)
    return await answer()
  } catch (error) {
    const { status, body, headers } = failureOf(translate(error), context.get('requestId'), log)
    const { code, message, details } = body.error
    const word = error instanceof OAuthError ? error.word : (words[code] ?? 'invalid_request')
    const seconds = details?.['retryAfterSeconds']
    const answered = {
      error: word,
      error_description: message,
      ...(seconds !== undefined && { retry_after_seconds: seconds }),
    }
    return Response.json(answered, { status: statuses[word] ?? statusOf(status), headers })
  }
}

/** OAuth's words for the refusals that come before any endpoint is reached. */
const words: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate_limited',
  unavailable: 'temporarily_unavailable',
  internal: 'server_error',
}

const statuses: Readonly<Record<string, number>> = { invalid_client: 401 }

/** OAuth answers 400 where the rest of the API answers 415: its errors have no code of their own for another media type. */
function statusOf(status: number): number {
  return status === 415 ? 400 : status
}
