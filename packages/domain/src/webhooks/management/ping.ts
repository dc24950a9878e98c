import { ServiceError } from '@svc/contracts/errors'
import { pingEventType } from '@svc/contracts/events'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { Tx } from '@svc/db/database'
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../../access/authorize.ts'
import { mayNow } from '../../access/member-may.ts'
import type { Actor } from '../../common/actor.ts'
import type { Domain } from '../../domain.ts'
import { newId } from '../../common/ids.ts'
import { inTransaction } from '../../commit/transaction.ts'
import type { UseCase } from '../../use-case.ts'
import { answerColumns, isSuccess } from '../sending/attempt-rows.ts'
import {
  bodyOf,
  fullEnvelope,
  pingDetails,
  pingFacts,
  thinEnvelope,
} from '../../events/envelope.ts'
import type { OutboundResult } from '../../outbound.ts'
import { lockSubscription } from './queries.ts'
import { signedRequest } from '../sending/request.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'
import { openSecret } from '../secret.ts'
import { viewAttempt, viewDelivery } from './views.ts'

const pingsAMinute = 10
/** How much of the answer is shown; more would make the test a way to read what others serve. */
const shownBytes = 1024

/**
 * Sends `webhook.ping` while the caller waits. It stands in the log, is never repeated, and counts nowhere; a disabled
 * subscription can be tested too. spec: Events, row webhook.ping.
 */
export async function testWebhook(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'testWebhook'>,
): Promise<RouteOutput<'testWebhook'>> {
  authorize(actor, 'webhook:update')
  const { delivery, request } = await inTransaction({ domain }, (tx) =>
    preparePing(tx, domain, actor, input.id),
  )
  const result = await domain.outbound.send({ ...request, timeoutMs: defaultTiming.attemptMs })
  return inTransaction({ domain }, (tx) => recordPing(tx, delivery, result))
}

async function preparePing(tx: Tx, domain: Domain, actor: Actor, id: string) {
  const subscription = await lockSubscription(tx, actor, id)
  await refuseIfTooMany(tx, subscription)
  const { workspace_id } = subscription
  const delivery = await tx
    .insertInto('webhook_deliveries')
    .values({
      workspace_id,
      id: newId(),
      subscription_id: id,
      kind: 'ping',
      event_type: pingEventType,
      mode: await modeFor(tx, subscription),
      state: 'pending',
      epoch: subscription.epoch,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const secret = openSecret(
    domain.keys,
    subscription,
    subscription.secret_ciphertext ?? Buffer.of(),
  )
  const workspace = await tx
    .selectFrom('workspaces')
    .select(['id', 'name', 'slug'])
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const to = {
    workspaceId: workspace_id,
    workspace: workspace.slug,
    deliveryId: delivery.id,
    type: pingEventType,
    endpointUrl: subscription.endpoint_url,
    secret,
  }
  const body = await pingBody(tx, workspace, subscription, delivery)
  return { delivery, request: signedRequest(to, body, domain.outbound.now()) }
}

/** One at a time and ten a minute, over all processes: the subscription's lock is held. */
async function refuseIfTooMany(tx: Tx, { workspace_id, id }: WebhookSubscriptionRow) {
  const { rows } = await sql<{ recent: number; open: number; wait: number }>`
    select count(*)::int as recent,
           (count(*) filter (where state = 'pending' and created_at > app.now() - interval '20 seconds'))::int as open,
           ceil(extract(epoch from min(created_at) + interval '1 minute' - app.now()))::int as wait
      from webhook_deliveries
     where workspace_id = ${workspace_id} and subscription_id = ${id} and kind = 'ping'
       and created_at > app.now() - interval '1 minute'`.execute(tx)
  const { recent = 0, open = 0, wait = 1 } = rows[0] ?? {}
  if (open === 0 && recent < pingsAMinute) return
  const retryAfterSeconds = open > 0 ? 1 : wait
  throw new ServiceError(
    'rate_limited',
    `A webhook can be tested ${pingsAMinute} times a minute, one test at a time: wait ${retryAfterSeconds} s, then try again.`,
    { retryAfterSeconds },
  )
}

async function modeFor(tx: Tx, subscription: WebhookSubscriptionRow): Promise<PayloadMode> {
  const creator = { workspaceId: subscription.workspace_id, userId: subscription.created_by }
  return (await mayNow(tx, 'mission:read', creator)) ? subscription.payload_mode : 'thin'
}

async function pingBody(
  tx: Tx,
  { id, name }: { id: string; name: string },
  { workspace_id, project_id }: WebhookSubscriptionRow,
  delivery: WebhookDeliveryRow,
): Promise<Buffer> {
  const project =
    project_id === null
      ? undefined
      : await tx
          .selectFrom('projects')
          .select(['id', 'name'])
          .where('workspace_id', '=', workspace_id)
          .where('id', '=', project_id)
          .executeTakeFirst()
  const facts = pingFacts(delivery.created_at, { id, name }, project)
  const full = delivery.mode === 'full'
  return Buffer.from(bodyOf(full ? fullEnvelope(facts, pingDetails) : thinEnvelope(facts)))
}

async function recordPing(
  tx: Tx,
  delivery: WebhookDeliveryRow,
  result: OutboundResult,
): Promise<RouteOutput<'testWebhook'>> {
  const isCut = result.body.length > shownBytes
  const shown = { ...result, body: result.body.subarray(0, shownBytes) }
  const { headers, body, truncated, ...columns } = answerColumns(shown)
  const attempt = await tx
    .insertInto('webhook_attempts')
    .values({
      workspace_id: delivery.workspace_id,
      delivery_id: delivery.id,
      // it had no job; its own id stands for one
      job_id: delivery.id,
      claim: 0,
      attempt: 1,
      trigger: 'ping',
      mode: delivery.mode,
      started_at: delivery.created_at,
      outcome: isSuccess(result) ? 'delivered' : 'failed',
      ...columns,
      response_headers: JSON.stringify(headers),
      response_body: body,
      response_truncated: truncated || isCut,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const settled = await tx
    .updateTable('webhook_deliveries')
    .set({
      state: isSuccess(result) ? 'delivered' : 'failed',
      attempts: 1,
      settled_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', delivery.workspace_id)
    .where('id', '=', delivery.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { delivery: viewDelivery(settled), attempts: [viewAttempt(attempt)] }
}
