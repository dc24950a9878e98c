import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { refuseIfRevised } from '../common/revision.ts'
import type { UseCase } from '../use-case.ts'
import { lockItem, requireItem } from './queries.ts'
import { recordItemChange } from './record-change.ts'
import { viewInboxItem } from './views.ts'

export async function updateInboxItem(
  context: UseCase,
  actor: Actor,
  { id, expectedRevision, title, text, done }: RouteInput<'updateInboxItem'>,
): Promise<RouteOutput<'updateInboxItem'>> {
  authorize(actor, 'own_inbox:manage')
  return inTransaction(context, async (tx) => {
    const item = await lockItem(tx, actor, id)
    refuseIfRevised(item.revision, expectedRevision, () => ({ inboxItem: viewInboxItem(item) }))
    const wasDone = item.done_at !== null
    await tx
      .updateTable('inbox_items')
      .set({
        ...(title !== undefined && { title }),
        ...(text !== undefined && { text }),
        ...(done === true && !wasDone && { done_at: sql<Date>`app.now()` }),
        ...(done === false && { done_at: null }),
        revision: item.revision + 1,
        updated_at: sql<Date>`app.now()`,
      })
      .where('workspace_id', '=', actor.workspaceId)
      .where('id', '=', item.id)
      .execute()
    const changed = await requireItem(tx, actor, id)
    recordItemChange(tx, changed, 'update')
    return { inboxItem: viewInboxItem(changed) }
  })
}
