import type { UserToken } from '@svc/contracts/user-token'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { ownTokensInForce } from './queries.ts'
import { viewUserToken } from './views.ts'

const mostListed = 200

/** The caller's own that still work: those that were minted, or those of applications. The newest first. */
export async function listTokensInForce(
  { domain }: UseCase,
  actor: Actor,
  kind: 'minted' | 'oauth',
): Promise<UserToken[]> {
  authorize(actor, 'own_token:read')
  const rows = await ownTokensInForce(domain.db, actor, kind).limit(mostListed).execute()
  return rows.map((row) => viewUserToken(row, row.scopes))
}
