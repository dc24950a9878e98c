import { ServiceError } from '@svc/contracts/errors'
import type { ExecutionRequestRow } from '@svc/db/tables'
import type { KeyRing } from '../../common/key-ring.ts'

type Claimed = Pick<ExecutionRequestRow, 'id' | 'generation'>

/** `<key id>.<mac>` over request and generation: derived, never stored, so a repeated claim gets the same one. */
export function leaseTokenOf(keys: KeyRing, request: Claimed): string {
  const { kid, mac } = keys.mac('leases', leaseOf(request))
  return `${kid}.${mac.toString('base64url')}`
}

function leaseOf(request: Claimed): string {
  return `${request.id} ${request.generation}`
}

/** The fence: a token of another generation than the present one may do nothing more. A lapsed one still may. */
export function holdsLease(keys: KeyRing, request: Claimed, token: string): boolean {
  const [kid = '', mac = ''] = token.split('.')
  return keys.verify('leases', kid, leaseOf(request), Buffer.from(mac, 'base64url'))
}

export function requireLease(keys: KeyRing, request: Claimed, token: string): void {
  if (holdsLease(keys, request, token)) return
  throw new ServiceError(
    'lease_lost',
    'This run was superseded: another claim of the request came after it. End the agent and report nothing more.',
    { reason: 'superseded' },
  )
}
