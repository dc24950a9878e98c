import { type DeliveryTiming, defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'

export interface DispatcherTiming extends DeliveryTiming {
  /** Without a hint, how soon new work is seen. spec: Limits, row Outbox polling. */
  pollMs: number
  /** How soon a claim that lapsed is taken back. Whole seconds. */
  superviseSeconds: number
  sweepMs: number
  /** Of what takes days. */
  slowSweepMs: number
}

export interface DispatcherLimits {
  /** Attempts in flight in this process. */
  slots: number
  /** Attempts in flight of one subscription, over all processes. Decision 62. */
  perSubscription: number
  /** Outcomes written in one transaction. */
  settleBatch: number
  /** How long an outcome waits for others to be written with it. */
  settleWaitMs: number
}

export const defaultDispatcherTiming: DispatcherTiming = {
  ...defaultTiming,
  pollMs: 1_000,
  superviseSeconds: 5,
  sweepMs: 60_000,
  slowSweepMs: 3_600_000,
}

export const defaultDispatcherLimits: DispatcherLimits = {
  slots: 256,
  perSubscription: 8,
  settleBatch: 64,
  settleWaitMs: 5,
}
