import type { ServiceError } from '@svc/contracts/errors'
import { failureHeaders } from '@svc/http/error-response'

/** The answer to whoever calls too often, where it is no result of a tool. */
export function tooMany(refusal: ServiceError): Response {
  const body = {
    error: refusal.code,
    retry_after_seconds: Number(refusal.details?.['retryAfterSeconds'] ?? 1),
  }
  return Response.json(body, { status: 429, headers: failureHeaders(refusal) })
}
