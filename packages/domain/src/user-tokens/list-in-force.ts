import type { UserToken } from '@svc/contracts/user-token'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import type { UseCase } from '../use-case.ts'
import { ownTokens } from './queries.ts'
import { viewUserToken } from './views.ts'

const mostListed = 200

/** The caller's own that still work: those that were minted, or those of applications. The newest first. */
export async function listTokensInForce(
  { domain }: UseCase,
  actor: Actor,
  kind: 'minted' | 'oauth',
): Promise<UserToken[]> {
  authorize(actor, 'own_token:read')
  const rows = await ownTokens(domain.db, actor)
    .where('t.kind', '=', kind)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', sql<Date>`app.now()`)
    .limit(mostListed)
    .execute()
  return rows.map((row) => viewUserToken(row, row.scopes))
}
