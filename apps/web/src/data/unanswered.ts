import { RefusedError, UnreachableError } from '@svc/client/errors'

const broken: readonly string[] = ['internal', 'unavailable']

/** Whether nobody knows if the service has done what was asked: it was not reached, or broke off on the way. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.mayPass
  return error instanceof RefusedError && (error.status >= 500 || broken.includes(error.code))
}
