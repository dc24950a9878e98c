import type { RouteInput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'

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
