import { RefusedError, UnreachableError } from '@svc/client/errors'

const broken: readonly string[] = ['internal', 'unavailable']

/** What the service said, though it may be there later: that it is too busy, or cannot do it just now. */
export function saidBy(error: unknown): RefusedError | undefined {
  if (error instanceof RefusedError) return error
  return error instanceof UnreachableError && error.cause instanceof RefusedError
    ? error.cause
    : undefined
}

/** Whether nobody knows if the service has done what was asked: it was not reached, or broke off on the way. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.mayPass
  return error instanceof RefusedError && (error.status >= 500 || broken.includes(error.code))
}
