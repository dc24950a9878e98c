import type { ErrorCode } from './error-rows.ts'
import type { NextStep } from './next-step.ts'

interface RefusalOptions extends ErrorOptions {
  next?: NextStep | undefined
}

/**
 * A refusal: `code` decides the status, `message` is a sentence that makes sense by itself and names no command, `next`
 * is the step that helps.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined
  readonly next: NextStep | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details?: Record<string, unknown>,
    options?: RefusalOptions,
  ) {
    super(message, options)
    this.code = code
    this.details = details
    this.next = options?.next
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}
