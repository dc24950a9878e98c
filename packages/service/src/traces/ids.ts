import { type Context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

interface Given {
  traceId?: string
  spanId?: string
}

export interface Ids {
  generator: IdGenerator
  /** What begins within has these ids, where it would have random ones. */
  give<R>(given: Given, begin: () => R): R
}

export function createIds(): Ids {
  const random = new RandomIdGenerator()
  let given: Given = {}
  return {
    generator: {
      generateTraceId: () => given.traceId ?? random.generateTraceId(),
      generateSpanId: () => given.spanId ?? random.generateSpanId(),
    },
    give(ids, begin) {
      given = ids
      try {
        return begin()
      } finally {
        given = {}
      }
    },
  }
}

/** A UUID is as long as the id of a trace. */
export function traceIdOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}

/** The second half of a UUID, which is random but for the two bits that it begins with. */
export function spanIdOf(uuid: string): string {
  return traceIdOf(uuid).slice(16)
}

/** The id of the span for the making of an event's deliveries: it begins with other bits than any that is a UUID's. */
export function fanOutIdOf(eventId: string): string {
  const [first = '', ...rest] = spanIdOf(eventId)
  return [(Number.parseInt(first, 16) & 7).toString(16), ...rest].join('')
}

/** Within a span of whichever process. */
export function below(traceId: string, spanId: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}
