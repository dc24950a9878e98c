import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { recordAudit } from '../audit/record.ts'
import { notFound } from '../errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'

/** Dead for every request that starts after this commits, and with it all that it minted, down to the last. */
export async function revokeUserToken(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'revokeUserToken'>,
): Promise<undefined> {
  authorize(actor, 'own_token:revoke')
  return inTransaction(context, (tx) => revoke(tx, context, actor, id))
}

/** Whatever a token may, it may end itself. */
export async function revokeCurrentUserToken(context: UseCase, actor: Actor): Promise<undefined> {
  const { kind, id } = actor.credential
  if (kind !== 'token') throw noToken()
  return inTransaction(context, (tx) => revoke(tx, context, actor, id))
}

async function revoke(tx: Tx, context: UseCase, actor: Actor, id: string): Promise<undefined> {
  const revoked = await revokeOwn(tx, actor, id)
  const token = revoked ?? (await findOwn(tx, actor, id))
  if (!token) throw notFound('token', id)
  const minted = await revokeBelow(tx, actor.workspaceId, id)
  if (revoked || minted.length > 0) {
    const details = { ...token, minted }
    recordAudit(tx, context, actor, { action: 'token.revoked', targetId: id, details })
  }
  return undefined
}

function noToken(): ServiceError {
  return new ServiceError(
    'validation_failed',
    'No token came with this call, but the cookie of a browser: end its session in place of it.',
  )
}

function revokeOwn(tx: Tx, actor: Actor, id: string) {
  return tx
    .updateTable('user_tokens')
    .set({ revoked_at: sql<Date>`app.now()`, revoked_reason: 'owner' })
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['label', 'prefix'])
    .executeTakeFirst()
}

function findOwn(tx: Tx, actor: Actor, id: string) {
  return tx
    .selectFrom('user_tokens')
    .select(['label', 'prefix'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Minting shares a lock on the token that mints, so what a revoked token had begun to mint is committed by the time
 * that token is revoked here, and the next pass sees it. A revoked token mints nothing: the passes end. Answers whom
 * it revoked.
 */
async function revokeBelow(tx: Tx, workspaceId: string, id: string): Promise<string[]> {
  const revoked: string[] = []
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      with recursive below(id) as (
        select id from user_tokens where workspace_id = ${workspaceId} and parent_id = ${id}
        union
        select t.id from below b
          join user_tokens t on t.workspace_id = ${workspaceId} and t.parent_id = b.id)
      update user_tokens set revoked_at = app.now(), revoked_reason = 'parent'
       where workspace_id = ${workspaceId} and id in (select id from below) and revoked_at is null
      returning id`.execute(tx)
    if (rows.length === 0) return revoked
    revoked.push(...rows.map((row) => row.id))
  }
}
