import type { WebhookDeliveryState } from '@svc/contracts/webhook-subscription'
import { webhookDeliveryStates } from '../../data/contracts.values.ts'

/** Which deliveries of a log are shown; the address holds it. */
export interface Filters {
  state: WebhookDeliveryState | undefined
  type: string | undefined
}

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  return {
    state: webhookDeliveryStates.find((state) => state === given.get('state')),
    type: given.get('type') || undefined,
  }
}

export function searchOf({ state, type }: Filters): Record<string, string> {
  return { ...(state !== undefined && { state }), ...(type !== undefined && { type }) }
}
