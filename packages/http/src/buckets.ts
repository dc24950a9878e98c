import { ServiceError } from '@svc/contracts/errors'
import { keepRecent } from '@svc/contracts/recent'

/** One caller's calls of the last minute, of which so many are let through. */
export interface Bucket {
  /** 0 when a call may come now. */
  secondsUntilNext: () => number
  takeOne: () => void
}

/** The bucket of that name; one that is never empty where 0 calls a minute are given. */
export type Buckets = (name: string, perMinute: number) => Bucket

export interface BucketOptions {
  nowMs?: () => number
  /** How many buckets one kind remembers; one that is forgotten is full again. */
  most?: number
}

const minuteMs = 60_000
const bottomless: Bucket = { secondsUntilNext: () => 0, takeOne: () => undefined }

/** Token buckets of this process alone: n replicas allow up to n times as much. */
export function createBuckets({
  nowMs = () => performance.now(),
  most = 20_000,
}: BucketOptions = {}): Buckets {
  const levels = keepRecent<{ tokens: number; at: number }>(most)

  function levelOf(name: string, perMinute: number): number {
    const level = levels.get(name)
    if (level === undefined) return perMinute
    return Math.min(perMinute, level.tokens + ((nowMs() - level.at) * perMinute) / minuteMs)
  }

  return (name, perMinute) => {
    if (perMinute === 0) return bottomless
    return {
      secondsUntilNext: () => (Math.max(0, 1 - levelOf(name, perMinute)) * 60) / perMinute,
      takeOne() {
        const tokens = Math.max(0, levelOf(name, perMinute) - 1)
        levels.set(name, { tokens, at: nowMs() })
      },
    }
  }
}

/** Throws `rate_limited` when one of them is empty. */
export function requireCall(buckets: readonly Bucket[]): void {
  const seconds = Math.ceil(Math.max(...buckets.map((bucket) => bucket.secondsUntilNext())))
  if (seconds === 0) return
  const message = `Too many calls: wait ${seconds} s, then try again.`
  throw new ServiceError('rate_limited', message, { retryAfterSeconds: seconds })
}
