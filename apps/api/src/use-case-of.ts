import type { Actor } from '@svc/domain/actor'
import type { Domain } from '@svc/domain/domain'
import { type Person, isPerson } from '@svc/domain/people/person'
import { type UseCase, idempotencyOf } from '@svc/domain/use-case'
import type { Call } from '@svc/http/bind-routes'

/** What a use case acts through, for one HTTP call. */
export function useCaseOf(
  domain: Domain,
  caller: Actor | Person,
  { signal, from, idempotency }: Call,
): UseCase {
  return {
    domain,
    signal,
    from,
    // what a person does outside of any workspace is repeated by its own nature, and keeps no key
    ...(idempotency && !isPerson(caller) && { idempotency: idempotencyOf(caller, idempotency) }),
  }
}
