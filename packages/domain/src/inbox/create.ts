import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { newId } from '../common/ids.ts'
import type { UseCase } from '../use-case.ts'
import { meansOf } from './means.ts'
import { requireItem } from './queries.ts'
import { recordItemChange } from './record-change.ts'
import { viewInboxItem } from './views.ts'

/** Creates an item of the account that calls. */
export async function createInboxItem(
  context: UseCase,
  actor: Actor,
  { title, text, source }: RouteInput<'createInboxItem'> & { source?: 'mcp' },
): Promise<RouteOutput<'createInboxItem'>> {
  authorize(actor, 'inbox_item:create')
  return inTransaction(context, async (tx) => {
    const id = newId()
    const notedBy = await meansOf(tx, actor, source)
    await tx
      .insertInto('inbox_items')
      .values({
        workspace_id: actor.workspaceId,
        id,
        user_id: actor.userId,
        title,
        text: text ?? null,
        noted_by: JSON.stringify(notedBy),
      })
      .execute()
    const item = await requireItem(tx, actor, id)
    recordItemChange(tx, item, 'create')
    return { inboxItem: viewInboxItem(item) }
  })
}
