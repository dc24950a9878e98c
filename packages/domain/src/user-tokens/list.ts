import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { pageOf, readCursor } from '../page.ts'
import type { UseCase } from '../use-case.ts'
import { viewUserToken } from './views.ts'
import { ownTokens } from './queries.ts'

/** Newest first. */
export async function listUserTokens(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listUserTokens'>,
): Promise<RouteOutput<'listUserTokens'>> {
  authorize(actor, 'own_token:read')
  const before = readCursor(input.cursor)
  let query = ownTokens(domain.db, actor).limit(input.limit + 1)
  if (before) query = query.where('t.id', '<', before)
  const { items, nextCursor } = pageOf(await query.execute(), input.limit, (token) => token.id)
  return { userTokens: items.map((row) => viewUserToken(row, row.scopes)), ...nextCursor }
}
