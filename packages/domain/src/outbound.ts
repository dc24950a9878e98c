import { ServiceError } from '@svc/contracts/errors'

export interface OutboundRequest {
  url: string
  /** The slug of the workspace whose webhook it is: hosts of private networks are opened for one at a time. */
  workspace: string
  headers: Record<string, string>
  body: Uint8Array
  /** For the whole attempt, from the look-up of the name to the last byte. */
  timeoutMs: number
}

/** A document of somebody, fetched without any credential of ours. */
export interface OutboundRead {
  url: string
  timeoutMs: number
  /** What is beyond is not read. */
  mostBytes: number
}

/** What one attempt met. What the endpoint does is never thrown; a fault of our own side is. */
export interface OutboundResult {
  /** `success`, `http_<status>`, or the class of what went wrong. */
  outcome: string
  /** Where it went wrong. */
  phase?: string
  status?: number
  timings: { total: number }
  address?: string
  headers: [name: string, value: string][]
  body: Buffer
  truncated: boolean
}

export type EndpointVerdict =
  /** `isListed`: the operator named its host for that workspace. */
  { ok: true; url: string; isListed: boolean } | { ok: false; rule: string; message: string }

/** The network that the domain needs, brought in by the process. It knows no route to private addresses. */
export interface Outbound {
  /** May this address be called, as far as its text and the addresses of its name show now? */
  check(url: string, workspace: string): Promise<EndpointVerdict>
  send(request: OutboundRequest): Promise<OutboundResult>
  /** From the public internet, whatever else may be called. */
  read(request: OutboundRead): Promise<OutboundResult>
  /** The time that receivers compare a signature with: that of the world, never that of a test database. */
  now(): Date
}

const refuse = () =>
  Promise.reject(
    new ServiceError('unavailable', 'This process makes no calls to other hosts. Ask the API.'),
  )

export const noOutbound: Outbound = {
  check: refuse,
  send: refuse,
  read: refuse,
  now: () => new Date(0),
}
