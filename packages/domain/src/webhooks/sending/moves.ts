import type { WebhookDeliveryState } from '@svc/contracts/webhook-subscription'
import type { ClaimedJob } from '../../jobs/jobs.ts'
import type { OutboundResult } from '../../outbound.ts'
import type { Attempt } from './load.ts'

/** A job that nothing waits for any more: it ends, and that is all. */
export interface Dropped {
  did: 'drop'
  job: ClaimedJob
}

/** How a claimed job ended. */
export type Finished =
  | { did: 'send'; attempt: Attempt; result: OutboundResult }
  | { did: 'cancel' | 'hold'; attempt: Attempt }
  | Dropped

/** What an end makes of its delivery. */
export interface Move {
  did: 'move'
  attempt: Attempt
  /** Null where nothing was sent. */
  result: OutboundResult | null
  state: WebhookDeliveryState
  /** Finished attempts that count, this one included. */
  attempts: number
  /** Seconds until the next attempt, where there is one. */
  delay: number | null
  nextJobId: string | null
  /** Whether it says something of the endpoint for the counter of failures. */
  counts: boolean
}
