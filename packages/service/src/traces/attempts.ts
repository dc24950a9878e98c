import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { pingEventType } from '@svc/contracts/events'
import type { EndedAttempt } from '@svc/process/measured'
import { z } from 'zod'
import { below, fanOutIdOf, traceIdOf } from './ids.ts'
import type { Sink } from './sink.ts'
import { idsOf } from './stories.ts'

const Named = z.object({ id: z.string() })
/** What of a payload says which trace it is of; nothing else of it is read. */
const Payload = z.object({
  type: z.string(),
  workspace: Named,
  mission: Named,
  objective: Named.optional(),
  run: z.object({ id: z.string().nullable() }).optional(),
})

/** A span in the trace of what the event is about, below the one for the making of its deliveries. */
export function traceAttempt({ tracer }: Sink, attempt: EndedAttempt): void {
  const { outcome, seconds, eventId } = attempt
  const { type, workspace, mission, objective, run } = Payload.parse(
    JSON.parse(Buffer.from(attempt.payload).toString()),
  )
  const endTime = Date.now()
  // a test delivery is about a mission that does not exist
  const context =
    type === pingEventType
      ? ROOT_CONTEXT
      : below(traceIdOf(objective?.id ?? mission.id), fanOutIdOf(eventId))
  const ids = {
    workspaceId: workspace.id,
    missionId: mission.id,
    objectiveId: objective?.id ?? null,
    executionRequestId: run?.id ?? null,
  }
  const attributes = {
    ...idsOf(ids),
    'svc.event.id': eventId,
    'svc.event.type': type,
    'svc.webhook.id': attempt.subscriptionId,
    'svc.webhook.delivery.id': attempt.deliveryId,
    'svc.webhook.attempt': attempt.number,
    'svc.webhook.outcome': outcome,
  }
  const startTime = endTime - seconds * 1_000
  const span = tracer.startSpan(
    'webhook attempt',
    { kind: SpanKind.CLIENT, startTime, attributes },
    context,
  )
  if (outcome !== 'success') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endTime)
}
