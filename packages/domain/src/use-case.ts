import { createHash } from 'node:crypto'
import type { Actor } from './actor.ts'
import type { Domain } from './domain.ts'

/** A caller's word that this call is the same one as before. Kept 24 h per owner, route and key. */
export interface Idempotency {
  workspaceId: string
  owner: string
  route: string
  keyHash: Buffer
  bodyHash: Buffer
}

/** What a use case acts through. `signal` ends a wait of a caller that has gone; it never undoes a commit. */
export interface UseCase {
  domain: Domain
  signal?: AbortSignal
  idempotency?: Idempotency
}

/** `bodyHash` is over the whole input of the call, in a canonical spelling. */
export function idempotencyOf(
  actor: Actor,
  call: { route: string; key: string; bodyHash: Buffer },
): Idempotency {
  return {
    workspaceId: actor.workspaceId,
    owner: actor.userId,
    route: call.route,
    keyHash: createHash('sha256').update(call.key).digest(),
    bodyHash: call.bodyHash,
  }
}
