import type { Phase } from './attempt-marks.ts'
import { BlockedAddressError } from './guarded-agent.ts'
import { UnresolvableError } from './resolve.ts'

export type Failure =
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'protocol'
  | 'blocked_address'

/** The class of what ended an attempt before a response head; undefined when the fault is ours. */
export function failureOf(error: Error, phase: Phase): Failure | undefined {
  if (error instanceof BlockedAddressError) return 'blocked_address'
  if (error instanceof UnresolvableError) return 'dns'
  const code = codeOf(error) ?? ''
  if (ours.has(code)) return undefined
  const known = classes[code]
  if (known) return known
  return phase === 'tls' || /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'tls' : 'protocol'
}

export function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const ours = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
])

const classes: Record<string, Failure> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
}
