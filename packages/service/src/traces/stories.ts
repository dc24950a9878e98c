import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { Commit, Step } from '@svc/domain/commit/steps'
import { below, fanOutIdOf, spanIdOf, traceIdOf } from './ids.ts'
import type { Sink } from './sink.ts'

/**
 * Each step of an objective is a span in the trace that has the objective's id, whichever process took it; of what is
 * about no objective, in that of the mission. The call that took it is linked from there, and the other way round.
 */
export function traceCommit(
  sink: Sink,
  call: Span | undefined,
  { startedAt, steps }: Commit,
): void {
  const endTime = Date.now()
  const startTime = endTime - (performance.now() - startedAt)
  if (call) {
    const context = trace.setSpan(ROOT_CONTEXT, call)
    sink.tracer.startSpan('transaction', { startTime }, context).end(endTime)
  }
  const stories = Map.groupBy(steps, storyOf)
  for (const [story, ofStory] of stories) {
    const head = ofStory.find(({ did }) => did === 'record') ?? ofStory[0]
    if (!head) continue
    const spans = ofStory.map((step) =>
      startStep(sink, step, { head, startTime, links: call ? [linkTo(call)] : [] }),
    )
    for (const span of spans) span.end(endTime)
    call?.addLink({ context: { traceId: story, spanId: spanIdOf(head.id), traceFlags: 1 } })
  }
  const [first] = steps
  if (first) call?.setAttributes(idsOf(first))
}

function storyOf({ objectiveId, missionId }: Step): string {
  return traceIdOf(objectiveId ?? missionId)
}

const linkTo = (span: Span) => ({ context: span.spanContext() })

interface Around {
  head: Step
  startTime: number
  links: ReturnType<typeof linkTo>[]
}

function startStep({ tracer, ids }: Sink, step: Step, around: Around): Span {
  const { head, startTime, links } = around
  const traceId = storyOf(step)
  const options = { startTime, links, attributes: attributesOf(step) }
  if (step.did === 'fan_out') {
    const context = below(traceId, spanIdOf(step.id))
    return ids.give({ spanId: fanOutIdOf(step.id) }, () =>
      tracer.startSpan('fan-out', { ...options, kind: SpanKind.CONSUMER }, context),
    )
  }
  const isEvent = step.did === 'publish'
  const kind = isEvent ? SpanKind.PRODUCER : SpanKind.INTERNAL
  const context = step === head ? ROOT_CONTEXT : below(traceId, spanIdOf(head.id))
  return ids.give({ traceId, spanId: spanIdOf(step.id) }, () =>
    tracer.startSpan(isEvent ? `event ${step.type}` : step.type, { ...options, kind }, context),
  )
}

function attributesOf(step: Step): Attributes {
  if (step.did === 'record') return { ...idsOf(step), 'svc.history.id': step.id }
  return {
    ...idsOf(step),
    'svc.event.id': step.id,
    'svc.event.type': step.type,
    ...(step.deliveries !== undefined && { 'svc.event.deliveries': step.deliveries }),
  }
}

export function idsOf(of: Omit<Step, 'did' | 'id' | 'type'>): Attributes {
  return {
    'svc.workspace.id': of.workspaceId,
    'svc.mission.id': of.missionId,
    ...(of.objectiveId !== null && { 'svc.objective.id': of.objectiveId }),
    ...(of.executionRequestId !== null && { 'svc.execution_request.id': of.executionRequestId }),
  }
}
