import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { wakeAfterCommit } from '../commit/unit-of-work.ts'
import { notFound } from '../common/errors.ts'
import { channels } from '../jobs/wake-hub.ts'
import { withinProjects } from './list.ts'
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
    // Rows that another transaction is marking as read at this moment are skipped: both lock many rows, each in its own
    // order, and waiting for each other could be a deadlock.
    let unread = tx
      .selectFrom('notifications')
      .select('id')
      .where('workspace_id', '=', actor.workspaceId)
      .where('user_id', '=', actor.userId)
      .where('read_at', 'is', null)
      .where(withinProjects(actor))
      .forNoKeyUpdate()
      .skipLocked()
    if (notificationIds !== undefined) {
      unread = unread.where(sql<boolean>`id = any(${notificationIds}::uuid[])`)
    }
    const { numUpdatedRows } = await tx
      .updateTable('notifications')
      .set({ read_at: sql<Date>`app.now()` })
      .where('workspace_id', '=', actor.workspaceId)
      // an array and no join: each is found by its whole key
      .where(sql<boolean>`id = any(array(${unread}))`)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) wakeAfterCommit(tx, channels.changes)
    return { read: Number(numUpdatedRows) }
  })
}

async function refuseIfNotOwn(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  // each is looked up by its key, which the offset keeps
  const { rows } = await sql<{ id: string }>`
    select named.id from unnest(${ids}::uuid[]) as named(id)
      left join lateral (
        select true as is_own from notifications
         where workspace_id = ${actor.workspaceId} and id = named.id and user_id = ${actor.userId}
           and ${withinProjects(actor)}
        offset 0) found on true
     where found.is_own is null limit 1`.execute(tx)
  if (rows[0]) throw notFound('notification', rows[0].id)
}
