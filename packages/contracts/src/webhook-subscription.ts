import { z } from 'zod'
import { ErrorCode } from './errors.ts'
import { SubscribedEventType } from './events.ts'
import { ProjectRef, Revision, Timestamp, Uuid } from './ids.ts'
import { Title } from './objective.ts'

export const PayloadMode = z.enum(['thin', 'full'])
export type PayloadMode = z.infer<typeof PayloadMode>
/** Where nothing else is said, what happened leaves the service by its ids alone. */
export const defaultPayloadMode: PayloadMode = 'thin'

/** `failures`: by the service, after 20 consecutive failed deliveries. `manual`: by an admin. */
export const DisabledReason = z.enum(['failures', 'manual'])
export type DisabledReason = z.infer<typeof DisabledReason>

/** Whether the address may be called is the service's to judge; here it is a text that can be one. */
export const EndpointUrl = z.string().min(1).max(2048)
const EventTypes = z
  .array(SubscribedEventType)
  .min(1, 'name at least one event type')
  .max(50)
  .refine((types) => new Set(types).size === types.length, 'name each event type once')

// spec: Resources and their fields > Webhook subscription
export const WebhookSubscription = z.strictObject({
  id: Uuid,
  name: z.string(),
  endpointUrl: z.string(),
  eventTypes: z.array(z.string()),
  /** null: all projects */
  projectId: Uuid.nullable(),
  payloadMode: PayloadMode,
  disabledAt: Timestamp.nullable(),
  disabledReason: DisabledReason.nullable(),
  consecutiveFailures: z.int(),
  createdBy: Uuid,
  revision: Revision,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type WebhookSubscription = z.infer<typeof WebhookSubscription>

/** What creating a webhook with this address would say of it now. */
export const CheckedEndpoint = z.strictObject({
  /** As it would be kept; null: it would be refused. */
  endpointUrl: z.string().nullable(),
  /** Whoever operates the service has named its host for this workspace: payloads to it are `full` where nothing else is chosen. */
  isListed: z.boolean(),
  /** The sentence says what to do. */
  refusal: z.strictObject({ code: ErrorCode, message: z.string() }).nullable(),
})
export type CheckedEndpoint = z.infer<typeof CheckedEndpoint>

export const WebhookSubscriptionInput = z.strictObject({
  name: Title,
  endpointUrl: EndpointUrl,
  eventTypes: EventTypes,
  projectId: ProjectRef.nullable().optional(),
  payloadMode: PayloadMode.default(defaultPayloadMode),
})

export const WebhookSubscriptionChange = z
  .strictObject({
    expectedRevision: Revision,
    name: Title.optional(),
    endpointUrl: EndpointUrl.optional(),
    eventTypes: EventTypes.optional(),
    projectId: ProjectRef.nullable().optional(),
    payloadMode: PayloadMode.optional(),
  })
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length > 1, {
    message: 'give at least one of name, endpointUrl, eventTypes, projectId and payloadMode',
  })

/** What a delivery can be that nothing is sent of. */
export const SettledState = z.enum(['delivered', 'failed', 'held', 'canceled'])
export type SettledState = z.infer<typeof SettledState>

export const WebhookDeliveryState = z.enum(['pending', ...SettledState.options])
export type WebhookDeliveryState = z.infer<typeof WebhookDeliveryState>

export const AttemptOutcome = z.enum([
  'delivered',
  'failed',
  'not_sent',
  'unknown_outcome',
  'superseded',
])
export type AttemptOutcome = z.infer<typeof AttemptOutcome>

/** `resend`: a person asked for it, outside the schedule. */
export const AttemptTrigger = z.enum(['schedule', 'resend', 'ping'])
export type AttemptTrigger = z.infer<typeof AttemptTrigger>

/** One line of the delivery log. */
export const WebhookDelivery = z.strictObject({
  id: Uuid,
  subscriptionId: Uuid,
  eventId: Uuid.nullable(),
  type: z.string(),
  /** The payload mode of the last attempt: thin, once the creator of a full subscription may read no more. */
  mode: PayloadMode,
  state: WebhookDeliveryState,
  attempts: z.int(),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookAttempt = z.strictObject({
  attempt: z.int(),
  trigger: AttemptTrigger,
  /** The payload mode of the body that was sent; null where nobody knows whether one was. */
  mode: PayloadMode.nullable(),
  outcome: AttemptOutcome,
  error: z.string().nullable(),
  phase: z.string().nullable(),
  status: z.int().nullable(),
  durationMs: z.int().nullable(),
  address: z.string().nullable(),
  responseHeaders: z.record(z.string(), z.string()),
  responseBody: z.string().nullable(),
  responseTruncated: z.boolean(),
  startedAt: Timestamp.nullable(),
  endedAt: Timestamp,
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>
