import { ServiceError } from '@svc/contracts/errors'
import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { Queryable, Tx } from '@svc/db/database'
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { whereVisibleTo } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { notFound } from '../../common/errors.ts'

/** Those that the caller may see: a token bound to projects sees no subscription beyond them. */
export function subscriptionsOf(db: Queryable, actor: Actor) {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
    .where(whereVisibleTo(actor, { projectId: sql`project_id` }))
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

export async function countHeld(
  db: Queryable,
  { workspace_id, id }: WebhookSubscriptionRow,
): Promise<number> {
  const { held } = await db
    .selectFrom('webhook_deliveries')
    .select((build) => build.fn.countAll<string>().as('held'))
    .where('workspace_id', '=', workspace_id)
    .where('subscription_id', '=', id)
    .where(sql<boolean>`state = 'held'`)
    .executeTakeFirstOrThrow()
  return Number(held)
}

/**
 * Sending what the schedule is done with asks for one that takes deliveries. Without its lock: those who settle hold
 * deliveries when they ask for it, and what comes due after a disabling is held again.
 */
export async function requireEnabled(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<WebhookSubscriptionRow> {
  const subscription = await requireSubscription(tx, actor, id)
  if (subscription.disabled_at === null) return subscription
  throw new ServiceError(
    'invalid_transition',
    'The webhook is disabled, so nothing is sent to it.',
    undefined,
    { next: { operation: 'enableWebhook', params: { id } } },
  )
}

export interface LastSent {
  sent_mode: PayloadMode | null
}

/** Each with what its last attempt sent: of a full one the thin body, once the creator may read no more. */
export function deliveriesOf(
  db: Queryable,
  { workspace_id, id }: Pick<WebhookSubscriptionRow, 'workspace_id' | 'id'>,
) {
  const lastSent = sql<PayloadMode | null>`(
    select a.mode from webhook_attempts a
     where a.workspace_id = webhook_deliveries.workspace_id and a.delivery_id = webhook_deliveries.id
       and a.mode is not null
     order by a.started_at desc, a.claim desc limit 1)`
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .select(lastSent.as('sent_mode'))
    .where('workspace_id', '=', workspace_id)
    .where('subscription_id', '=', id)
}

export async function requireDelivery(
  db: Queryable,
  subscription: WebhookSubscriptionRow,
  id: string,
  lock?: 'lock',
): Promise<WebhookDeliveryRow & LastSent> {
  const query = deliveriesOf(db, subscription).where('id', '=', id)
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!found) throw notFound('webhook delivery', id)
  return found
}

/** In the mode that was sent last, else the one that would be; undefined for a test, and once it is not kept any more. */
export function findBody(
  db: Queryable,
  { workspace_id, event_id, mode, sent_mode }: WebhookDeliveryRow & LastSent,
): Promise<{ bytes: Buffer } | undefined> {
  return db
    .selectFrom('webhook_bodies')
    .select('bytes')
    .where('workspace_id', '=', workspace_id)
    .where('event_id', '=', event_id)
    .where('mode', '=', sent_mode ?? mode)
    .executeTakeFirst()
}
