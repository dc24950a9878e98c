import type { Actor } from '../actor.ts'
import type { Domain } from '../domain.ts'
import { authenticateMemberAgain } from '../people/authenticate.ts'
import { authenticateTokenAgain } from './authenticate.ts'

/** The same caller as of now, for what lasts longer than a request. Throws `unauthenticated` once they are out. */
export function authenticateAgain(domain: Domain, actor: Actor): Promise<Actor> {
  return actor.credential.kind === 'sign_in'
    ? authenticateMemberAgain(domain, actor)
    : authenticateTokenAgain(domain, actor)
}
