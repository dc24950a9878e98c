import { RefusedError } from '@svc/client/errors'

/** It was deleted, or may not be seen any more: what is known of it is not shown as if it were there. */
export function isNotHere(error: unknown): error is RefusedError & { status: 404 } {
  return error instanceof RefusedError && error.status === 404
}
