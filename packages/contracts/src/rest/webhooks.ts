import { z } from 'zod'
import { EventType } from '../events.ts'
import { FeedCursor } from '../feed.ts'
import { ProjectRef, Timestamp, Uuid } from '../ids.ts'
import { limits } from '../limits.ts'
import { NextCursor, PageQuery } from '../page.ts'
import type { EndpointContract } from './endpoint.ts'
import {
  CheckedEndpoint,
  EndpointUrl,
  PayloadMode,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookSubscription,
  WebhookSubscriptionChange,
  WebhookSubscriptionInput,
  defaultPayloadMode,
} from '../webhook-subscription.ts'

const path = '/api/webhooks/:id'
const params = z.strictObject({ id: Uuid })
const deliveryParams = z.strictObject({ id: Uuid, deliveryId: Uuid })
const answer = z.strictObject({ webhook: WebhookSubscription })
/** When a delivery was made, at the earliest. */
const since = Timestamp
/** How many deliveries are held after the call. */
const held = z.int()
/** The secret is in this answer and in no other. */
const secretAnswer = z.strictObject({ webhook: WebhookSubscription, secret: z.string() })
const deliveryAnswer = z.strictObject({
  delivery: WebhookDelivery,
  attempts: z.array(WebhookAttempt),
})

/** Comma-separated in an address. */
const EventTypeList = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(EventType).max(limits.eventTypesAtOnce))
  .describe('of several with commas between them; all of them when left out')

/** What is posted, byte by byte; null for a test, and once it is not kept any more. */
const sentBody = z.string().nullable()

/** Webhook calls, all for workspace admins. Part of `restContracts`. */
export const webhookEndpoints = {
  // spec: Other REST endpoints
  createWebhook: {
    method: 'POST',
    path: '/api/webhooks',
    permission: 'webhook:create',
    body: WebhookSubscriptionInput,
    answer: secretAnswer,
    status: 201,
    repeat: 'keyed',
  },
  /** Whether an address would be taken. Its name is looked up as for `createWebhook`, and nothing is sent to it. */
  checkEndpoint: {
    method: 'POST',
    path: '/api/webhooks/check-endpoint',
    permission: 'webhook:create',
    body: z.strictObject({ endpointUrl: EndpointUrl }),
    answer: z.strictObject({ endpoint: CheckedEndpoint }),
    status: 200,
    repeat: 'natural',
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/webhooks',
    permission: 'webhook:read',
    query: z.strictObject(PageQuery),
    answer: z.strictObject({ webhooks: z.array(WebhookSubscription), nextCursor: NextCursor }),
    status: 200,
  },
  getWebhook: { method: 'GET', path, permission: 'webhook:read', params, answer, status: 200 },
  updateWebhook: {
    method: 'PATCH',
    path,
    permission: 'webhook:update',
    params,
    body: WebhookSubscriptionChange,
    answer,
    status: 200,
    repeat: 'keyed',
  },
  deleteWebhook: {
    method: 'DELETE',
    path,
    permission: 'webhook:delete',
    params,
    answer: 'none',
    status: 204,
    repeat: 'keyed',
  },
  enableWebhook: {
    method: 'POST',
    path: `${path}/enable`,
    permission: 'webhook:update',
    params,
    answer: answer.extend({ held }),
    status: 200,
    repeat: 'keyed',
  },
  disableWebhook: {
    method: 'POST',
    path: `${path}/disable`,
    permission: 'webhook:update',
    params,
    answer,
    status: 200,
    repeat: 'keyed',
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${path}/rotate-secret`,
    permission: 'webhook:update',
    params,
    answer: secretAnswer,
    status: 200,
    repeat: 'keyed',
  },
  testWebhook: {
    method: 'POST',
    path: `${path}/test`,
    permission: 'webhook:update',
    params,
    answer: deliveryAnswer,
    status: 200,
    repeat: 'keyed',
  },
  recoverWebhook: {
    method: 'POST',
    path: `${path}/recover`,
    permission: 'webhook:update',
    params,
    body: z.strictObject({
      since: since.describe('what has failed since then is sent once more, too').optional(),
      dryRun: z.boolean().describe('counts what would be sent, and sends nothing').optional(),
      cursor: PageQuery.cursor,
    }),
    answer: z.strictObject({
      recovered: z.int().describe('held ones that go on by their schedule'),
      resent: z.int().describe('failed ones that are sent once more'),
      held,
      failed: z
        .int()
        .describe(
          `failed ones that the next call sends once more; ${limits.countedDeliveries} at most`,
        ),
      nextCursor: NextCursor,
    }),
    status: 200,
    repeat: 'keyed',
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${path}/deliveries`,
    permission: 'webhook:read',
    params,
    query: z.strictObject({
      ...PageQuery,
      state: WebhookDeliveryState.optional(),
      type: z.string().max(100).optional(),
      since: since.optional(),
    }),
    answer: z.strictObject({ deliveries: z.array(WebhookDelivery), nextCursor: NextCursor }),
    status: 200,
  },
  getWebhookDelivery: {
    method: 'GET',
    path: `${path}/deliveries/:deliveryId`,
    permission: 'webhook:read',
    params: deliveryParams,
    answer: deliveryAnswer.extend({ body: sentBody }),
    status: 200,
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: `${path}/deliveries/:deliveryId/resend`,
    permission: 'webhook:update',
    params: deliveryParams,
    answer: z.strictObject({ delivery: WebhookDelivery }),
    status: 200,
    repeat: 'keyed',
  },
  /**
   * What happened, in the order of the commits, with the payload of each: for whoever cannot be reached by a webhook, and
   * goes on from `cursor` again and again. The ids of the payloads are those of the events.
   */
  listWebhookEvents: {
    method: 'GET',
    path: '/api/webhook-events',
    permission: 'webhook:read',
    query: z.strictObject({
      cursor: FeedCursor.describe('of the answer before; without one nothing but it').optional(),
      eventTypes: EventTypeList.optional(),
      projectId: ProjectRef.optional(),
      payloadMode: PayloadMode.default(defaultPayloadMode),
    }),
    answer: z.strictObject({
      events: z.array(
        z.strictObject({
          id: Uuid,
          type: z.string(),
          occurredAt: Timestamp,
          /** `thin` for those who may not read missions. */
          mode: PayloadMode,
          /** What would be signed and posted, byte by byte. */
          body: z.string(),
        }),
      ),
      cursor: FeedCursor,
      isMore: z.boolean().describe('there may be more now; else ask again in a second'),
      isReset: z
        .boolean()
        .describe('the cursor is older than what is kept: events are missing before the next'),
    }),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>
