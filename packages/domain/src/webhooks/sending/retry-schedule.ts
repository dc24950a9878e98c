const [minute, hour] = [60, 3600]

/** Seconds from the end of a failed attempt to the next. spec: Limits, row Retry backoff. */
export const retryDelays = [30, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour] as const

/** How long events wait for the recovery of a disabled subscription. Decision 60. */
export const heldDays = 7

/** Claims of one job that ended without a trace, after which it is not tried again. */
export const lostClaimsLimit = 5

/** Seconds until an attempt that failed by our own fault is made. */
export function deferSeconds(claim: number): number {
  return Math.min(60, 5 * 2 ** Math.min(claim, 4))
}

export interface DeliveryTiming {
  /** The whole attempt. spec: Limits, row Attempt timeout. */
  attemptMs: number
  /** How long a claim of an attempt is good for; above the attempt and its settling. */
  leaseSeconds: number
}

export const defaultTiming: DeliveryTiming = { attemptMs: 10_000, leaseSeconds: 25 }
