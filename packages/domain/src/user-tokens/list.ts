import type { RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import type { UseCase } from '../use-case.ts'
import { viewUserToken } from './views.ts'
import { ownTokens } from './queries.ts'

export async function listUserTokens(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listUserTokens'>> {
  authorize(actor, 'own_token:read')
  const rows = await ownTokens(domain.db, actor).limit(200).execute()
  return { userTokens: rows.map((row) => viewUserToken(row, row.scopes)) }
}
