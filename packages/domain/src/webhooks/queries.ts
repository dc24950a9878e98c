import type { Queryable, Tx } from '@svc/db/database'
import type { WebhookSubscriptionRow } from '@svc/db/tables'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'

export function subscriptionsOf(db: Queryable, workspaceId: string) {
  return db
    .selectFrom('webhook_subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
}

export async function requireSubscription(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<WebhookSubscriptionRow> {
  const found = await subscriptionsOf(db, actor.workspaceId).where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('webhook', id)
  return found
}

export async function lockSubscription(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<WebhookSubscriptionRow> {
  const found = await subscriptionsOf(tx, actor.workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('webhook', id)
  return found
}
