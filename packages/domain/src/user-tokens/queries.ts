import type { Permission } from '@svc/contracts/permissions'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'

export function ownTokens(db: Queryable, { workspaceId, userId }: Actor) {
  return tokensOf(db, workspaceId).where('t.user_id', '=', userId)
}

/** Those that still work: what was minted, or what applications were given. */
export function ownTokensInForce(db: Queryable, actor: Actor, kind: 'minted' | 'oauth') {
  return ownTokens(db, actor)
    .where('t.kind', '=', kind)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', sql<Date>`app.now()`)
}

export function tokensOf(db: Queryable, workspaceId: string) {
  return (
    db
      .selectFrom('user_tokens as t')
      .selectAll('t')
      .select(
        sql<Permission[]>`coalesce((select array_agg(s.permission order by s.permission)
        from user_token_scopes s
       where s.workspace_id = t.workspace_id and s.token_id = t.id), '{}')`.as('scopes'),
      )
      .where('t.workspace_id', '=', workspaceId)
      // what was approved and is fetched by nobody yet is no token
      .where('t.token_hmac', 'is not', null)
      .orderBy('t.id', 'desc')
  )
}
