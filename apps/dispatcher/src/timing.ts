import { type DeliveryTiming, defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'

export interface DispatcherTiming extends DeliveryTiming {
  /** Without a hint, how soon new work is seen. spec: Limits, row Outbox polling. */
  pollMs: number
  /** How soon a claim that lapsed is taken back. Whole seconds. */
  superviseSeconds: number
  sweepMs: number
  /** How often to look for what is due only after days. */
  slowSweepMs: number
}

export interface DispatcherLimits {
  /** Attempts that this process sends at a time. */
  slots: number
  /** Attempts of one subscription that are sent at a time, over all processes. Decision 62. */
  perSubscription: number
  /** Outcomes that may wait to be written; claiming stops at it. */
  unsettled: number
  /** How many outcomes have to wait for a second transaction to be begun while one runs. */
  settleBatch: number
  /** Outcomes written in one transaction. */
  settleMost: number
  /** How long an outcome waits for others to be written with it. */
  settleWaitMs: number
  /** How long free slots wait for others to be claimed for together. */
  claimWaitMs: number
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
  unsettled: 1_024,
  settleBatch: 64,
  settleMost: 256,
  settleWaitMs: 5,
  claimWaitMs: 10,
}
