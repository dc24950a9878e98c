import {
  type ErrorBody,
  ServiceError,
  errorStatus,
  isPassingCode,
  isServiceError,
} from '@svc/contracts/errors'
import { version } from '@svc/contracts/version'
import type { Log } from '@svc/process/log'

export interface Failure {
  status: number
  body: ErrorBody
  headers: Record<string, string>
}

/** A refusal as itself; anything else as `internal`, logged once under the request id that the caller gets. */
export function failureOf(error: unknown, requestId: string, log: Log): Failure {
  if (isServiceError(error)) return failureOfRefusal(error, requestId)
  log.error({ err: error, requestId }, 'a request failed unexpectedly')
  const message = `Something went wrong here. Try again, and report request ${requestId} if it stays.`
  return failureOfRefusal(new ServiceError('internal', message), requestId)
}

function failureOfRefusal(refusal: ServiceError, requestId: string): Failure {
  const { code, message, details, next } = refusal
  return {
    status: errorStatus[code],
    body: {
      error: { code, message, ...(details && { details }), ...(next && { next }), requestId },
    },
    headers: failureHeaders(refusal),
  }
}

/** The headers of a refusal, whatever the form of its body. */
export function failureHeaders({ code, details }: ServiceError): Record<string, string> {
  if (code === 'unauthenticated') return { 'www-authenticate': 'Bearer' }
  // HTTP wants to hear with this status what would be taken instead
  if (code === 'upgrade_required') return { upgrade: `svc/${version}`, connection: 'upgrade' }
  if (!isPassingCode(code)) return {}
  const seconds = Number(details?.['retryAfterSeconds'] ?? 1)
  const retryAfter = String(Math.max(1, Math.ceil(seconds)))
  if (code !== 'rate_limited') return { 'retry-after': retryAfter }
  return { 'retry-after': retryAfter, ratelimit: `"default";r=0;t=${retryAfter}` }
}

export function failureResponse(failure: Failure): Response {
  return Response.json(failure.body, { status: failure.status, headers: failure.headers })
}
