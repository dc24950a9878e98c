import type { Actor } from '@svc/domain/actor'
import type { Domain } from '@svc/domain/domain'
import { type UseCase, idempotencyOf } from '@svc/domain/use-case'
import type { Call } from '@svc/http/bind-routes'

/** What a use case acts through, for one HTTP call. */
export function useCaseOf(
  domain: Domain,
  actor: Actor,
  { signal, from, idempotency }: Call,
): UseCase {
  return {
    domain,
    signal,
    from,
    ...(idempotency && { idempotency: idempotencyOf(actor, idempotency) }),
  }
}
