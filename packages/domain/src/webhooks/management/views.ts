import type { AuditAction } from '@svc/contracts/audit'
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookSubscription,
} from '@svc/contracts/webhook-subscription'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookSubscriptionRow } from '@svc/db/tables'
import type { AuditFacts } from '../../audit/record.ts'
import type { LastSent } from './queries.ts'

export function viewSubscription(row: WebhookSubscriptionRow): WebhookSubscription {
  return {
    id: row.id,
    name: row.name,
    endpointUrl: row.endpoint_url,
    eventTypes: row.event_types,
    projectId: row.project_id,
    payloadMode: row.payload_mode,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledReason: row.disabled_reason,
    consecutiveFailures: row.consecutive_failures,
    createdBy: row.created_by,
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** What it is, as the audit trail keeps it. */
export function auditOf(action: AuditAction, row: WebhookSubscriptionRow): AuditFacts {
  const { id, projectId, name, endpointUrl, eventTypes, payloadMode } = viewSubscription(row)
  const details = { name, endpointUrl, eventTypes, payloadMode, projectId }
  return { action, targetId: id, projectId, details }
}

/** Where nothing of a delivery was sent yet, `mode` is the one that would be. */
export function viewDelivery(row: WebhookDeliveryRow & Partial<LastSent>): WebhookDelivery {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    type: row.event_type,
    mode: row.sent_mode ?? row.mode,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}

export function viewAttempt(row: WebhookAttemptRow): WebhookAttempt {
  return {
    attempt: row.attempt,
    trigger: row.trigger,
    mode: row.mode,
    outcome: row.outcome,
    error: row.error,
    phase: row.phase,
    status: row.status,
    durationMs: row.duration_ms,
    address: row.address,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    responseTruncated: row.response_truncated,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at.toISOString(),
  }
}
