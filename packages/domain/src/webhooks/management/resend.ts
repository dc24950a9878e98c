import { ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { SettledState } from '@svc/contracts/webhook-subscription'
import type { Tx } from '@svc/db/database'
import type { WebhookDeliveryRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { channels } from '../../jobs/wake-hub.ts'
import type { UseCase } from '../../use-case.ts'
import { queueNow } from '../sending/queue-now.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'
import { requireDelivery, requireEnabled } from './queries.ts'
import { viewDelivery } from './views.ts'
import { wakeAfterCommit } from '../../commit/unit-of-work.ts'

/**
 * One attempt outside the schedule, under the same id: where it does not arrive, nothing is counted. Of one that waits for
 * its retry it is that try, made now. Decision 60.
 */
export async function resendWebhookDelivery(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'resendWebhookDelivery'>,
): Promise<RouteOutput<'resendWebhookDelivery'>> {
  authorize(actor, 'webhook:update')
  return inTransaction(context, async (tx) => {
    const subscription = await requireEnabled(tx, actor, input.id)
    const delivery = await requireDelivery(tx, subscription, input.deliveryId, 'lock')
    const resent_from = await stateBefore(tx, delivery)
    await refuseWithoutBody(tx, delivery)
    await queueNow(tx, context.domain, [{ ...delivery, resent_from }], defaultTiming)
    wakeAfterCommit(tx, channels.deliveries)
    return { delivery: viewDelivery(await requireDelivery(tx, subscription, delivery.id)) }
  })
}

/** Null where the try is one of the schedule. */
async function stateBefore(
  tx: Tx,
  { id, subscription_id, kind, state, next_attempt_at }: WebhookDeliveryRow,
): Promise<SettledState | null> {
  const refuse = (message: string, next: NextStep) =>
    new ServiceError('invalid_transition', message, undefined, { next })
  const params = { id: subscription_id }
  if (kind === 'ping') {
    throw refuse('A test is not sent again.', { operation: 'testWebhook', params })
  }
  if (state !== 'pending') return state
  const { rows } = await sql<{ waits: boolean | null }>`
    select ${next_attempt_at}::timestamptz > app.now() as waits`.execute(tx)
  if (rows[0]?.waits) return null
  throw refuse(`The delivery ${id} is being sent.`, {
    operation: 'listWebhookDeliveries',
    params,
  })
}

async function refuseWithoutBody(
  tx: Tx,
  { workspace_id, event_id, mode }: WebhookDeliveryRow,
): Promise<void> {
  const body = await tx
    .selectFrom('webhook_bodies')
    .select('mode')
    .where('workspace_id', '=', workspace_id)
    .where('event_id', '=', event_id)
    .where('mode', '=', mode)
    .executeTakeFirst()
  if (body) return
  throw new ServiceError(
    'body_expired',
    'What was sent is kept for 30 days and is gone: read what the event told of from its mission.',
  )
}
