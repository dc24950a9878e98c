import { sign } from './sign.ts'

export interface Delivery {
  /** The whole `whsec_…` string. */
  secret: string
  /** Unix seconds. */
  timestamp: number
  body: string | Uint8Array
  /** The id of the body. */
  deliveryId: string
  type: string
  workspaceId: string
}

/** What is sent with a body. */
export function deliveryHeaders(delivery: Delivery): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks/1',
    'x-svc-signature': sign(delivery),
    'x-svc-event': delivery.type,
    'x-svc-delivery': delivery.deliveryId,
    'x-svc-workspace': delivery.workspaceId,
  }
}
