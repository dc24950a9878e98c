import type { Tables, WebhookSubscriptionRow } from '@svc/db/tables'
import { type UpdateObject, sql } from 'kysely'
import { recordChange } from '../../commit/records.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'

export type WebhookOperation =
  | 'create'
  | 'update'
  | 'enable'
  | 'disable'
  | 'rotate_secret'
  | 'delete'

/** What a person changes of a subscription is one more revision of it; the caller holds its lock. */
export async function changeSubscription(
  tx: UnitOfWork,
  subscription: WebhookSubscriptionRow,
  set: UpdateObject<Tables, 'webhook_subscriptions'>,
  operation: WebhookOperation,
): Promise<WebhookSubscriptionRow> {
  const changed = await tx
    .updateTable('webhook_subscriptions')
    .set({ ...set, revision: subscription.revision + 1, updated_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChange(tx, { webhook: changed }, operation)
  return changed
}
