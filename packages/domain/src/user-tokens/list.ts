import type { Permission } from '@svc/contracts/permissions'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { viewUserToken } from './views.ts'

function ownTokens(db: Queryable, actor: Actor) {
  return db
    .selectFrom('user_tokens as t')
    .selectAll('t')
    .select(
      sql<Permission[]>`coalesce((select array_agg(s.permission order by s.permission)
        from user_token_scopes s
       where s.workspace_id = t.workspace_id and s.token_id = t.id), '{}')`.as('scopes'),
    )
    .where('t.workspace_id', '=', actor.workspaceId)
    .where('t.user_id', '=', actor.userId)
    .orderBy('t.id', 'desc')
}

export async function listUserTokens(
  { domain }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listUserTokens'>> {
  authorize(actor, 'own_token:read')
  const rows = await ownTokens(domain.db, actor).limit(200).execute()
  return { userTokens: rows.map((row) => viewUserToken(row, row.scopes)) }
}

/** Dead for every request that starts after this commits. */
export async function revokeUserToken(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'revokeUserToken'>,
): Promise<undefined> {
  authorize(actor, 'own_token:revoke')
  return inTransaction(context, async (tx) => {
    const revoked = await tx
      .updateTable('user_tokens')
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, app.now())`, revoked_reason: 'owner' })
      .where('workspace_id', '=', actor.workspaceId)
      .where('user_id', '=', actor.userId)
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (!revoked) throw notFound('token', input.id)
    return undefined
  })
}

export async function getMe({ domain }: UseCase, actor: Actor): Promise<RouteOutput<'getMe'>> {
  const user = await domain.db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  const workspace = await domain.db
    .selectFrom('workspaces')
    .select(['id', 'slug', 'name'])
    .where('id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  const token = await ownTokens(domain.db, actor)
    .where('t.id', '=', actor.token.id)
    .executeTakeFirstOrThrow()
  return { user, workspace, role: actor.role, token: viewUserToken(token, token.scopes) }
}
