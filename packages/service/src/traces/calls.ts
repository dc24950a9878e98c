import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Handled } from '@svc/http/handling'
import type { AnsweredRequest } from '@svc/process/measured'

/** What an orchestrator and Prometheus ask every few seconds. */
const untraced = new Set(['/livez', '/readyz', '/metrics'])

/** A span for each request, in the trace that its caller names, named by its route and never by what was asked for. */
export function createCalls(tracer: Tracer) {
  const current = new AsyncLocalStorage<Span | undefined>()
  return {
    /** The one that is handled here and now. */
    current,
    begin: ({ path, traceparent }: Handled): Span | undefined => {
      if (untraced.has(path)) return undefined
      const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
      const context = caller
        ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
        : ROOT_CONTEXT
      return tracer.startSpan('request', { kind: SpanKind.SERVER }, context)
    },
    end: ({ requestId, method, route, status }: AnsweredRequest): void => {
      const span = current.getStore()
      if (!span) return
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'svc.request.id': requestId,
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
