import { z } from 'zod'
import { port, tracesUrl } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** What a process tells of itself. */
export const observingVariables = {
  SVC_LOG_LEVEL: {
    description: 'the least serious line that is logged',
    default: 'info',
    schema: z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'give fatal, error, warn, info, debug, trace or silent',
    ),
  },
  SVC_METRICS_PORT: {
    description:
      'the port at SVC_HOST at which /metrics answers in the form of Prometheus; keep it from the internet',
    unset: 'nothing is measured',
    serverOnly: true,
    schema: port,
  },
  SVC_TRACES_URL: {
    description:
      'where the traces of OpenTelemetry go, as OTLP over HTTP in JSON, such as http://collector:4318/v1/traces',
    unset: 'nothing is traced',
    serverOnly: true,
    schema: tracesUrl,
  },
} as const satisfies Record<string, EnvironmentVariable>
