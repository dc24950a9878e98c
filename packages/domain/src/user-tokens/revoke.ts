import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'

/** Dead for every request that starts after this commits, and with it all that it minted, down to the last. */
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
    await revokeBelow(tx, actor.workspaceId, input.id)
    return undefined
  })
}

/**
 * Minting shares a lock on the token that mints, so what a revoked token had begun to mint is committed by the time
 * that token is revoked here, and the next pass sees it. A revoked token mints nothing: the passes end.
 */
async function revokeBelow(tx: Tx, workspaceId: string, id: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      with recursive below(id) as (
        select id from user_tokens where workspace_id = ${workspaceId} and parent_id = ${id}
        union
        select t.id from below b
          join user_tokens t on t.workspace_id = ${workspaceId} and t.parent_id = b.id)
      update user_tokens set revoked_at = app.now(), revoked_reason = 'parent'
       where workspace_id = ${workspaceId} and id in (select id from below) and revoked_at is null`.execute(
      tx,
    )
    if (!numAffectedRows) return
  }
}
