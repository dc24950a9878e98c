import type { Queryable } from '@svc/db/database'
import type { Actor } from '../../common/actor.ts'
import { authenticateMemberAgain } from './authenticate.ts'
import { authenticateTokenAgain } from '../../access/authenticate.ts'

/** The same caller as of now, for what lasts longer than a request. Throws `unauthenticated` once they are out. */
export function authenticateAgain(db: Queryable, actor: Actor): Promise<Actor> {
  return actor.credential.kind === 'sign_in'
    ? authenticateMemberAgain(db, actor)
    : authenticateTokenAgain(db, actor)
}
