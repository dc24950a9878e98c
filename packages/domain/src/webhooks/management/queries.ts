import type { Queryable, Tx } from '@svc/db/database'
import type { WebhookSubscriptionRow } from '@svc/db/tables'
import type { Actor } from '../../actor.ts'
import { notFound } from '../../errors.ts'

/** Those that the caller may see: a token bound to projects sees no subscription beyond them. */
export function subscriptionsOf(db: Queryable, actor: Actor) {
  const ofWorkspace = db
    .selectFrom('webhook_subscription')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
  const { projectIds } = actor.token
  return projectIds ? ofWorkspace.where('project_id', 'in', projectIds) : ofWorkspace
}

export async function requireSubscription(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<WebhookSubscriptionRow> {
  const found = await subscriptionsOf(db, actor).where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('webhook', id)
  return found
}

export async function lockSubscription(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<WebhookSubscriptionRow> {
  const found = await subscriptionsOf(tx, actor)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('webhook', id)
  return found
}
