import type { RouteInput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'
import { recordItemChange } from './record-change.ts'

/** For good. A mission that it was turned into stays. */
export async function deleteInboxItem(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'deleteInboxItem'>,
): Promise<undefined> {
  authorize(actor, 'own_inbox:manage')
  return inTransaction(context, async (tx) => {
    const deleted = await tx
      .deleteFrom('inbox_items')
      .where('workspace_id', '=', actor.workspaceId)
      .where('user_id', '=', actor.userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!deleted) throw notFound('inbox item', id)
    // whoever has the last revision of it is told of another one
    recordItemChange(tx, { ...deleted, revision: deleted.revision + 1 }, 'delete')
    return undefined
  })
}
