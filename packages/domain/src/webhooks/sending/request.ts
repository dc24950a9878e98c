import { deliveryHeaders } from '@svc/webhooks/headers'
import type { Domain } from '../../domain.ts'
import { payloadOf } from '../../events/envelope.ts'
import type { Attempt } from './load.ts'
import { openSecret } from '../secret.ts'

export interface SignedRequest {
  url: string
  workspace: string
  headers: Record<string, string>
  body: Buffer
}

export interface Addressed {
  workspaceId: string
  /** Its slug. */
  workspace: string
  deliveryId: string
  type: string
  endpointUrl: string
  secret: string
}

/** What is posted, signed at this moment. spec: Events > Delivery headers; Authentication, item 9. */
export function signedRequest(to: Addressed, rest: Uint8Array, now: Date): SignedRequest {
  const body = payloadOf(to.deliveryId, rest)
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    url: to.endpointUrl,
    workspace: to.workspace,
    headers: deliveryHeaders({ ...to, timestamp, body }),
    body,
  }
}

/** Throws when something of ours is missing: then the attempt is put off, and the endpoint is not blamed. */
export function requestOf(domain: Domain, attempt: Attempt): SignedRequest {
  const { body, sealedSecret, workspaceId, subscriptionId } = attempt
  if (!body) throw new Error('the body of a pending delivery is gone')
  if (!sealedSecret) throw new Error('the secret of a live subscription is gone')
  const owner = { workspace_id: workspaceId, id: subscriptionId }
  const secret = opened.get(sealedSecret) ?? openSecret(domain.keys, owner, sealedSecret)
  opened.set(sealedSecret, secret)
  return signedRequest({ ...attempt, secret }, body, domain.outbound.now())
}

/** Opened once for the attempts that were claimed together, and discarded with them. */
const opened = new WeakMap<Buffer, string>()
