import type { Domain } from '@svc/domain/domain'
import { isPerson } from '@svc/domain/entities/people/person'
import { type AnyCaller, isVisitor } from '@svc/domain/people/visitor'
import { type UseCase, idempotencyOf } from '@svc/domain/use-case'
import type { Recalled } from '@svc/domain/common/recalled'
import type { Call } from '@svc/http/bind-routes'

/** What a use case acts through, for one HTTP call. */
export function useCaseOf(
  domain: Domain,
  caller: AnyCaller,
  { signal, from, idempotency, caller: recalled }: Call<Recalled>,
): UseCase {
  return {
    domain,
    signal,
    from,
    ...(recalled && { caller: recalled }),
    // what is done outside of any workspace is repeated by its own nature, and keeps no key
    ...(idempotency &&
      !isPerson(caller) &&
      !isVisitor(caller) && { idempotency: idempotencyOf(caller, idempotency) }),
  }
}
