import { createHash } from 'node:crypto'
import type { Actor } from './common/actor.ts'
import type { Recalled } from './common/recalled.ts'
import type { Domain } from './domain.ts'

/** A caller's word that this call is the same one as before. Kept 24 h per token, route and key. */
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
  /** The network that the call came from. */
  from?: string
  idempotency?: Idempotency
  /** Who calls is yet to be read, by each transaction of the call. */
  caller?: Recalled
  /** The public origin of the service, for links that people open. */
  baseUrl?: string
}

/** For calls of several transactions, which carry an identity of their own: a key would answer the second for the first. */
export function withoutKey({ idempotency: _key, ...context }: UseCase): UseCase {
  return context
}

/** For what reads by itself who calls. */
export function withoutCaller({ caller: _caller, ...context }: UseCase): UseCase {
  return context
}

/** `bodyHash` is over the whole input of the call, in a canonical spelling. */
export function idempotencyOf(
  actor: Actor,
  call: { route: string; key: string; bodyHash: Buffer },
): Idempotency {
  return {
    workspaceId: actor.workspaceId,
    owner: actor.credential.id,
    route: call.route,
    keyHash: createHash('sha256').update(call.key).digest(),
    bodyHash: call.bodyHash,
  }
}
