import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { readPage } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { ownTokens, ownTokensInForce, tokensOf } from './queries.ts'
import { viewConnectedApplication, viewUserToken } from './views.ts'

/** Newest first. */
export async function listUserTokens(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listUserTokens'>,
): Promise<RouteOutput<'listUserTokens'>> {
  authorize(actor, 'own_token:read')
  const query = ownTokens(domain.db, actor).where('t.kind', '=', 'minted')
  const { items, nextCursor } = await readPage(query, 't.id', input)
  return { userTokens: items.map((row) => viewUserToken(row, row.scopes)), ...nextCursor }
}

/** Those in force, the newest first. */
export async function listConnectedApplications(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listConnectedApplications'>,
): Promise<RouteOutput<'listConnectedApplications'>> {
  authorize(actor, 'own_token:read')
  const query = ownTokensInForce(domain.db, actor, 'oauth')
  const { items, nextCursor } = await readPage(query, 't.id', input)
  return { connectedApplications: items.map(viewConnectedApplication), ...nextCursor }
}

/** Lists the tokens of everybody and of either kind, the newest first. */
export async function listWorkspaceTokens(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listWorkspaceTokens'>,
): Promise<RouteOutput<'listWorkspaceTokens'>> {
  authorize(actor, 'token:read')
  const query = tokensOf(domain.db, actor.workspaceId)
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.name', 'u.email'])
  const { items, nextCursor } = await readPage(query, 't.id', input)
  const userTokens = items.map((row) => ({
    ...viewUserToken(row, row.scopes),
    kind: row.kind,
    person: { id: row.user_id, name: row.name, email: row.email },
  }))
  return { userTokens, ...nextCursor }
}
