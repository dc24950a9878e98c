import { type Counting, isLeasePath } from '@svc/contracts/counting'
import {
  type Bucket,
  type BucketOptions,
  type Buckets,
  createBuckets,
  requireCall,
} from './buckets.ts'
import { trustProxies } from './caller-network.ts'
import { type Authenticate, guardAuthentication } from './guard-authentication.ts'
import type { Input } from './parse-input.ts'
import type { HttpContext } from './request-context.ts'

/** Calls a minute; 0 is no limit. */
export interface RateLimits {
  /** The limits of one token, for reads and for writes. */
  reads: number
  writes: number
  /** The limit of one agent session, lease or runner; these do not count against the token that they share. */
  agentCalls: number
  /** The limit of one device. */
  claims: number
  /** The limit of one token for its agent calls and claims together. */
  keyedCalls: number
  /** The limit of all tokens of one workspace; calls with a lease do not count. */
  workspaceCalls: number
  /** The limit of one network for tries that brought no valid token. */
  failedAuthentications: number
}

/** What a limiter is made of. */
export interface LimiterSettings extends RateLimits {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
}

export interface RateLimiter {
  /** Counts one call, or throws `rate_limited`. */
  take: (call: LimitedCall) => void
  /** Counts one call of somebody who needs no token for it, by their network, or throws `rate_limited`. */
  takeAnonymous: (context: HttpContext) => void
  /** Who sent the request; throws `rate_limited` when too many tries from its network failed. */
  authenticate: Authenticate
  /** The network that the request came from. */
  networkOf: (context: HttpContext) => string
}

export interface Caller {
  tokenId: string
  workspaceId: string
}

export interface LimitedCall extends Caller {
  isRead: boolean
  /** How the call's contract says that it counts. */
  counts?: Counting | undefined
  /** Absent when the input could not be parsed: the call counts against its token. */
  input?: Input
}

const longestKey = 200

export function createRateLimiter(settings: LimiterSettings, options?: BucketOptions): RateLimiter {
  const networkOf = trustProxies(settings.trustedProxies)
  const callers = createBuckets(options)
  // callers choose these keys: in buckets of their own, however many there are, they evict no token and no workspace
  const keys = createBuckets(options)
  const strangers = createBuckets(options)
  return {
    take(call) {
      const key = keyOf(call)
      const buckets = bucketsOfCaller(callers, call, { key, limits: settings })
      if (key) buckets.push(keys(`${call.tokenId} ${key.among} ${key.text}`, settings[key.among]))
      requireCall(buckets)
      for (const bucket of buckets) bucket.takeOne()
    },
    takeAnonymous(context) {
      const name = `${networkOf(context)} ${context.req.path}`
      const calls = strangers(name, settings.failedAuthentications)
      requireCall([calls])
      calls.takeOne()
    },
    authenticate: guardAuthentication(settings, networkOf, options),
    networkOf,
  }
}

/** All keys of one token have a ceiling together, since it is free to make up more of them. */
function bucketsOfCaller(
  buckets: Buckets,
  { tokenId, workspaceId, isRead }: LimitedCall,
  { key, limits }: { key: Key | undefined; limits: RateLimits },
): Bucket[] {
  const workspace = buckets(`workspace ${workspaceId}`, limits.workspaceCalls)
  if (!key) {
    const own = isRead
      ? buckets(`${tokenId} read`, limits.reads)
      : buckets(`${tokenId} write`, limits.writes)
    return [own, workspace]
  }
  const own = buckets(`${tokenId} keyed`, limits.keyedCalls)
  return isLeasePath(key.path) ? [own] : [own, workspace]
}

interface Key {
  among: Counting['among']
  path: string
  text: string
}

/** What the call is counted by, where its input says it. */
function keyOf({ counts, input }: LimitedCall): Key | undefined {
  for (const path of counts?.by ?? []) {
    const text = textAt(input, path)
    if (counts && text !== undefined) return { among: counts.among, path, text }
  }
  return undefined
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
