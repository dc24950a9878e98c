import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { readPage } from '../../common/page.ts'
import { payloadOf } from '../../events/envelope.ts'
import type { UseCase } from '../../use-case.ts'
import { listAttempts } from './attempts.ts'
import {
  deliveriesOf,
  findBody,
  requireDelivery,
  requireSubscription,
  subscriptionsOf,
} from './queries.ts'
import { viewAttempt, viewDelivery, viewSubscription } from './views.ts'

/** Newest first. */
export async function listWebhooks(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listWebhooks'>,
): Promise<RouteOutput<'listWebhooks'>> {
  authorize(actor, 'webhook:read')
  const query = subscriptionsOf(domain.db, actor).orderBy('id', 'desc')
  const { items, nextCursor } = await readPage(query, 'id', input)
  return { webhooks: items.map(viewSubscription), ...nextCursor }
}

export async function getWebhook(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getWebhook'>,
): Promise<RouteOutput<'getWebhook'>> {
  authorize(actor, 'webhook:read')
  return { webhook: viewSubscription(await requireSubscription(domain.db, actor, input.id)) }
}

/** The delivery log, newest first. */
export async function listWebhookDeliveries(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listWebhookDeliveries'>,
): Promise<RouteOutput<'listWebhookDeliveries'>> {
  authorize(actor, 'webhook:read')
  const subscription = await requireSubscription(domain.db, actor, input.id)
  let query = deliveriesOf(domain.db, subscription).orderBy('id', 'desc')
  if (input.state) query = query.where('state', '=', input.state)
  if (input.type) query = query.where('event_type', '=', input.type)
  const { items, nextCursor } = await readPage(query, 'id', input)
  if (input.since === undefined) return { deliveries: items.map(viewDelivery), ...nextCursor }
  const since = Date.parse(input.since)
  const found = items.filter(({ created_at }) => created_at.getTime() >= since)
  const last = items.at(-1)?.created_at.getTime() ?? 0
  return { deliveries: found.map(viewDelivery), ...(last >= since - clocksDiffer && nextCursor) }
}

/** The log is in the order of ids, which processes make by their own clocks: by no more ms than this do these differ. */
const clocksDiffer = 3_600_000

/** One delivery with its body and every attempt that left a trace, in order. The newest come with what was answered. */
export async function getWebhookDelivery(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getWebhookDelivery'>,
): Promise<RouteOutput<'getWebhookDelivery'>> {
  authorize(actor, 'webhook:read')
  const subscription = await requireSubscription(domain.db, actor, input.id)
  const delivery = await requireDelivery(domain.db, subscription, input.deliveryId)
  const attempts = await listAttempts(domain.db, delivery)
  const body = await findBody(domain.db, delivery)
  return {
    delivery: viewDelivery(delivery),
    attempts: attempts.map(viewAttempt),
    body: body === undefined ? null : payloadOf(delivery.id, body.bytes).toString(),
  }
}
