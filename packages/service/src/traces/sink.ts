import { setTimeout as delay } from 'node:timers/promises'
import type { Tracer } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { version } from '@svc/contracts/version'
import type { Log } from '@svc/process/log'
import { type Ids, createIds } from './ids.ts'

/** How many spans wait to be sent at most; what comes then is dropped. */
const mostWaiting = 2_048
/** How long a stopping process waits for the receiver. */
const stopMs = 2_000

export interface Sink extends AsyncDisposable {
  tracer: Tracer
  ids: Ids
}

/** Sends spans in batches, beside whatever the process does. */
export function createSink({ url, app, log }: { url: string; app: string; log: Log }): Sink {
  const exporter = noteFailures(new OTLPTraceExporter({ url, timeoutMillis: 10_000 }), log)
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: 1_000,
  })
  const ids = createIds()
  const own = resourceFromAttributes({ 'service.name': `svc-${app}`, 'service.version': version })
  const provider = new TracerProvider({
    // what the operator says of the process by the variables of OpenTelemetry holds
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids.generator,
    spanProcessors: [processor],
  })
  return {
    tracer: provider.getTracer('svc', version),
    ids,
    async [Symbol.asyncDispose]() {
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([sent, delay(stopMs, undefined, { ref: false })])
    },
  }
}

/**
 * Says when the receiver begins to fail, and when it takes traces again. To the processor all is well: after a failure it
 * would send the next batch while another is under way, and one more after each further one.
 */
function noteFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let fails = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !fails) {
          log.warn({ why: result.error?.message }, 'traces cannot be sent and are dropped')
        }
        if (fails && !failed) log.info('traces can be sent again')
        fails = failed
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
