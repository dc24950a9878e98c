import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { readCursor } from '../../common/page.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { type UnitOfWork, wakeAfterCommit } from '../../commit/unit-of-work.ts'
import { channels } from '../../jobs/wake-hub.ts'
import type { UseCase } from '../../use-case.ts'
import { queueNow } from '../sending/queue-now.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'
import { countHeld, requireEnabled, requireSubscription } from './queries.ts'

const batch = 500

/**
 * What is held goes on by its schedule, the oldest first; then what has failed since a moment is sent once more. One call
 * takes a batch, and says how many are left for the next. Decision 60.
 */
export async function recoverWebhook(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'recoverWebhook'>,
): Promise<RouteOutput<'recoverWebhook'>> {
  authorize(actor, 'webhook:update')
  return inTransaction(context, async (tx) => {
    const wanted = { since: input.since, after: readCursor(input.cursor) }
    if (input.dryRun === true) {
      const subscription = await requireSubscription(tx, actor, input.id)
      return { recovered: 0, resent: 0, ...(await countLeft(tx, subscription, wanted)) }
    }
    const subscription = await requireEnabled(tx, actor, input.id)
    const { epoch } = subscription
    const held = await takeHeld(tx, subscription)
    const room = batch - held.length
    const failed = await takeFailed(tx, subscription, wanted, room)
    const recovered = [
      ...held.map((delivery) => ({ ...delivery, epoch })),
      ...failed.map((delivery) => ({ ...delivery, resent_from: 'failed' as const })),
    ]
    if (recovered.length > 0) await queueNow(tx, context.domain, recovered, defaultTiming)
    wakeAfterCommit(tx, channels.deliveries)
    const after = failed.at(-1)?.id ?? wanted.after
    const left = await countLeft(tx, subscription, { ...wanted, after })
    const isMore = left.failed > 0 && after !== undefined
    return {
      recovered: held.length,
      resent: failed.length,
      ...left,
      ...(isMore && { nextCursor: after }),
    }
  })
}

interface Failed {
  /** Nothing that has failed is wanted where it is left out. */
  since: string | undefined
  after: string | undefined
}

/** What another call recovers, or the sweep gives up, at this moment is theirs. */
function takeHeld(
  tx: UnitOfWork,
  { workspace_id, id }: WebhookSubscriptionRow,
): Promise<WebhookDeliveryRow[]> {
  return tx
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('subscription_id', '=', id)
    .where(sql<boolean>`state = 'held'`)
    .orderBy('id')
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute()
}

async function takeFailed(
  tx: UnitOfWork,
  subscription: WebhookSubscriptionRow,
  failed: Failed,
  room: number,
): Promise<WebhookDeliveryRow[]> {
  if (failed.since === undefined || room === 0) return []
  return failedOf(tx, subscription, failed.since, failed.after)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(room)
    .forUpdate()
    .skipLocked()
    .execute()
}

async function countLeft(
  tx: UnitOfWork,
  subscription: WebhookSubscriptionRow,
  { since, after }: Failed,
): Promise<{ held: number; failed: number }> {
  const held = await countHeld(tx, subscription)
  if (since === undefined) return { held, failed: 0 }
  const some = failedOf(tx, subscription, since, after)
    .select('id')
    .limit(limits.countedDeliveries)
    .as('some')
  const { failed } = await tx
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<string>().as('failed'))
    .executeTakeFirstOrThrow()
  return { held, failed: Number(failed) }
}

/** Those whose body is kept still: what is gone is never sent again. */
function failedOf(
  db: Queryable,
  { workspace_id, id }: WebhookSubscriptionRow,
  since: string,
  after: string | undefined,
) {
  const failed = db
    .selectFrom('webhook_deliveries')
    .where('workspace_id', '=', workspace_id)
    .where('subscription_id', '=', id)
    .where(sql<boolean>`state = 'failed' and kind = 'event'`)
    .where('created_at', '>=', sql<Date>`${since}::timestamptz`).where(sql<boolean>`exists (
      select from webhook_bodies b
       where b.workspace_id = webhook_deliveries.workspace_id and b.event_id = webhook_deliveries.event_id
         and b.mode = webhook_deliveries.mode)`)
  if (after === undefined) return failed
  return failed.where(sql<boolean>`(created_at, id) > (
    select a.created_at, a.id from webhook_deliveries a
     where a.workspace_id = ${workspace_id} and a.id = ${after})`)
}
