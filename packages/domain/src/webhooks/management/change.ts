import type { Tx } from '@svc/db/database'
import type { Tables, WebhookSubscriptionRow } from '@svc/db/tables'
import { type UpdateObject, sql } from 'kysely'

/** What a person changes of a subscription is one more revision of it; the caller holds its lock. */
export async function changeSubscription(
  tx: Tx,
  subscription: WebhookSubscriptionRow,
  set: UpdateObject<Tables, 'webhook_subscriptions'>,
): Promise<WebhookSubscriptionRow> {
  return tx
    .updateTable('webhook_subscriptions')
    .set({ ...set, revision: subscription.revision + 1, updated_at: sql<Date>`app.now()` })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
