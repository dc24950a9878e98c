import { z } from 'zod'

/** Every refusal that a caller can see, and the HTTP status it travels with. */
export const errorStatus = {
  validation_failed: 400,
  confirmation_required: 400,
  endpoint_unresolvable: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  objective_blank: 409,
  objective_not_launchable: 409,
  mission_busy: 409,
  resource_read_only: 409,
  resource_not_connected: 409,
  resource_in_use: 409,
  ambiguous_objective: 409,
  nothing_to_attach: 409,
  session_active: 409,
  stale_execution: 409,
  session_ended: 409,
  invalid_transition: 409,
  revision_mismatch: 409,
  order_conflict: 409,
  status_in_use: 409,
  already_exists: 409,
  mission_active: 409,
  idempotency_expired: 409,
  lease_lost: 409,
  cancel_requested: 409,
  offset_mismatch: 409,
  runner_removed: 410,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

// The keys of an object literal are its key type; Object.keys only says string.
export const ErrorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: ErrorCode,
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** A refusal: `code` decides the status, `message` is a sentence that says what to do next. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details?: Record<string, unknown>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}
