import type { Counting } from '@svc/contracts/counting'
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
  /** Of one token: its agent calls and claims together. */
  keyedCalls: number
}

export const defaultRateLimits: RateLimits = {
  reads: 600,
  writes: 120,
  agentCalls: 120,
  claims: 60,
  keyedCalls: 6_000,
}

export interface RateLimiter {
  /** Counts one call, or throws `rate_limited`. */
  take: (call: LimitedCall) => void
}

export interface LimitedCall {
  tokenId: string
  isRead: boolean
  /** Of the call's contract. */
  counts?: Counting | undefined
  /** Absent when the input could not be parsed: the call counts against its token. */
  input?: Input
}

interface Bucket {
  name: string
  perMinute: number
}

const minuteMs = 60_000
const longestKey = 200

/** Token buckets of this process alone: n replicas allow up to n times as much. */
export function createRateLimiter(
  limits: RateLimits,
  nowMs = () => performance.now(),
): RateLimiter {
  const levels = new Map<string, { tokens: number; at: number }>()

  function levelOf({ name, perMinute }: Bucket): number {
    const level = levels.get(name)
    if (level === undefined) return perMinute
    return Math.min(perMinute, level.tokens + ((nowMs() - level.at) * perMinute) / minuteMs)
  }

  function takeFrom(bucket: Bucket): void {
    const tokens = levelOf(bucket) - 1
    // Written anew, the bucket is the youngest, and the map's first one the longest unused.
    levels.delete(bucket.name)
    levels.set(bucket.name, { tokens, at: nowMs() })
  }

  function secondsUntil(bucket: Bucket): number {
    return (Math.max(0, 1 - levelOf(bucket)) * 60) / bucket.perMinute
  }

  return {
    take(call) {
      forgetFull(levels, nowMs() - minuteMs)
      const buckets = bucketsOf(call, limits)
      const retryAfterSeconds = Math.ceil(Math.max(...buckets.map(secondsUntil)))
      if (retryAfterSeconds === 0) return buckets.forEach(takeFrom)
      throw new ServiceError(
        'rate_limited',
        `Too many calls: wait ${retryAfterSeconds} s, then try again.`,
        { retryAfterSeconds },
      )
    },
  }
}

/** A bucket unused for a minute is full again, as one that was never there: nobody can push out another's calls. */
function forgetFull(levels: Map<string, { at: number }>, before: number): void {
  for (const [name, { at }] of levels) {
    if (at > before) return
    levels.delete(name)
  }
}

/** What a call counts in. Keys are the caller's to choose, so all of them together have a ceiling. */
function bucketsOf(call: LimitedCall, limits: RateLimits): Bucket[] {
  const { tokenId, isRead } = call
  const keyed = keyedBucket(call, limits)
  if (keyed) return [keyed, { name: `${tokenId} keyed`, perMinute: limits.keyedCalls }]
  return isRead
    ? [{ name: `${tokenId} read`, perMinute: limits.reads }]
    : [{ name: `${tokenId} write`, perMinute: limits.writes }]
}

function keyedBucket({ tokenId, counts, input }: LimitedCall, limits: RateLimits) {
  const key = counts?.by.map((path) => textAt(input, path)).find((text) => text !== undefined)
  if (!counts || key === undefined) return undefined
  const { among } = counts
  return { name: `${tokenId} ${among} ${key}`, perMinute: limits[among] } satisfies Bucket
}

function textAt(input: unknown, path: string): string | undefined {
  const text = path.split('.').reduce(fieldOf, input)
  return typeof text === 'string' && text.length <= longestKey ? text : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // it has this field, whatever it holds
  return (value as Input)[name]
}
