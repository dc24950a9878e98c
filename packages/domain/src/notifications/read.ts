import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../errors.ts'
import type { UseCase } from '../use-case.ts'

/** All that are named or none; all of the caller's own when none is named. What was read before stays as it is. */
export async function readNotifications(
  context: UseCase,
  actor: Actor,
  { notificationIds }: RouteInput<'readNotifications'>,
): Promise<RouteOutput<'readNotifications'>> {
  authorize(actor, 'own_inbox:manage')
  return inTransaction(context, async (tx) => {
    if (notificationIds !== undefined) await refuseIfNotOwn(tx, actor, notificationIds)
    let update = tx
      .updateTable('notifications')
      .set({ read_at: sql<Date>`app.now()` })
      .where('workspace_id', '=', actor.workspaceId)
      .where('user_id', '=', actor.userId)
      .where('read_at', 'is', null)
    if (notificationIds !== undefined) update = update.where(isOneOf(notificationIds))
    const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
    return { read: Number(numUpdatedRows) }
  })
}

function isOneOf(ids: readonly string[]) {
  return sql<boolean>`id = any(${ids}::uuid[])`
}

async function refuseIfNotOwn(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  const own = await tx
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where(isOneOf(ids))
    .execute()
  const known = new Set(own.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw notFound('notification', missing)
}
