import { type ErrorCode, errorStatus } from '@svc/contracts/error-rows'
import type { NextStep } from '@svc/contracts/next-step'
import { ServiceError } from '@svc/contracts/service-error'

/** The service said no: `code`, `message`, `details` and `next` are its own. */
export class RefusedError extends ServiceError {
  readonly status: number
  readonly requestId: string | undefined
  /** An earlier try of the same call got no answer: where the sign-in has ended since, it may have been carried out. */
  readonly isAfterSilence: boolean

  constructor(status: number, refusal: Refusal, { isAfterSilence = false } = {}) {
    super(refusal.code, refusal.message, refusal.details, { next: refusal.next })
    this.status = status
    this.requestId = refusal.requestId
    this.isAfterSilence = isAfterSilence
  }
}

/** The service could not be reached, or was too busy, and trying again did not help. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  /** Whether it may be there later: not so when something else answered. */
  readonly mayPass: boolean

  constructor(
    message: string,
    { mayPass = true, ...options }: ErrorOptions & { mayPass?: boolean } = {},
  ) {
    super(message, options)
    this.mayPass = mayPass
  }
}

export interface Refusal {
  code: ErrorCode
  message: string
  details: Record<string, unknown> | undefined
  next: NextStep | undefined
  requestId: string | undefined
}

/** What the contracts say of refusals, as whoever reads them has it. */
export interface Vocabulary {
  /** The step, if it is one that is known here. */
  knownStep: (given: unknown) => NextStep | undefined
}

/**
 * The refusal in an answer's JSON, if it is one. A code that is not known here counts as its status does, a step that is
 * not known here as none.
 */
export function readRefusal(
  body: unknown,
  status: number,
  { knownStep }: Vocabulary,
): Refusal | undefined {
  if (!isRecord(body) || !isRecord(body['error'])) return undefined
  const { code, message, details, next, requestId } = body['error']
  return {
    code: knownCode(code, status),
    message: typeof message === 'string' ? message : `The service refused with status ${status}.`,
    details: isRecord(details) ? details : undefined,
    next: knownStep(next),
    requestId: typeof requestId === 'string' ? requestId : undefined,
  }
}

function knownCode(code: unknown, status: number): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(errorStatus, code)) {
    // hasOwn just said so.
    return code as ErrorCode
  }
  const withStatus = Object.entries(errorStatus).find(([, known]) => known === status)
  // Object.entries forgets that the keys are codes.
  return (withStatus?.[0] ?? 'internal') as ErrorCode
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
