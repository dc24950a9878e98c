import { ServiceError } from '@svc/contracts/errors'
import type { Input } from './parse-input.ts'

/** Calls a minute. */
export interface RateLimits {
  reads: number
  writes: number
  /** Of one agent session, lease or runner; these do not count against the token that they share. */
  agentCalls: number
  /** Of one device. */
  claims: number
}

export const defaultRateLimits: RateLimits = {
  reads: 600,
  writes: 120,
  agentCalls: 120,
  claims: 60,
}

export interface RateLimiter {
  /** Counts one call, or throws `rate_limited`. */
  take: (call: LimitedCall) => void
}

export interface LimitedCall {
  tokenId: string
  isRead: boolean
  /** Absent when the input could not be parsed: the call counts against its token. */
  input?: Input
}

const mostBuckets = 20_000

/** Token buckets of this process alone: n replicas allow up to n times as much. */
export function createRateLimiter(
  limits: RateLimits,
  nowMs = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>()

  function takeFrom(name: string, perMinute: number): number {
    const now = nowMs()
    const bucket = buckets.get(name) ?? { tokens: perMinute, at: now }
    const tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000)
    // Written anew, the bucket is the youngest, and the map's first one the longest unused.
    buckets.delete(name)
    buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    if (buckets.size > mostBuckets) forgetFirst(buckets)
    return tokens >= 1 ? 0 : ((1 - tokens) * 60) / perMinute
  }

  return {
    take(call) {
      const { name, perMinute } = bucketOf(call, limits)
      const waitSeconds = takeFrom(name, perMinute)
      if (waitSeconds === 0) return
      const retryAfterSeconds = Math.ceil(waitSeconds)
      throw new ServiceError(
        'rate_limited',
        `Too many calls: wait ${retryAfterSeconds} s, then try again.`,
        { retryAfterSeconds },
      )
    },
  }
}

function forgetFirst(buckets: Map<string, unknown>): void {
  const [first] = buckets.keys()
  if (first !== undefined) buckets.delete(first)
}

function bucketOf({ tokenId, isRead, input }: LimitedCall, limits: RateLimits) {
  const fingerprint = fingerprintOf(input)
  if (fingerprint) return { name: `${tokenId} claim ${fingerprint}`, perMinute: limits.claims }
  const agent =
    textOf(input, 'leaseToken', 'x-svc-lease', 'sessionKey') ??
    textOf(firstLease(input), 'leaseToken') ??
    textOf(input, 'instanceId')
  if (agent) return { name: `${tokenId} agent ${agent}`, perMinute: limits.agentCalls }
  return isRead
    ? { name: `${tokenId} read`, perMinute: limits.reads }
    : { name: `${tokenId} write`, perMinute: limits.writes }
}

function fingerprintOf(input: Input | undefined): string | undefined {
  const device = input?.['device']
  if (typeof device !== 'object' || device === null || !('fingerprint' in device)) return undefined
  return String(device.fingerprint)
}

/** A heartbeat of one run counts for its lease, so that runs do not use up their runner's calls. */
function firstLease(input: Input | undefined): Input | undefined {
  const leases = input?.['leases']
  return Array.isArray(leases) ? (leases[0] as Input | undefined) : undefined
}

function textOf(input: Input | undefined, ...names: string[]): string | undefined {
  return names.map((name) => input?.[name]).find((value) => typeof value === 'string')
}
