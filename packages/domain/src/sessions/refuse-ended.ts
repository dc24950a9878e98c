import { ServiceError } from '@svc/contracts/errors'
import type { AgentSessionRow } from '@svc/db/tables'

/** The fence of every call that speaks with a session's key: what has ended writes nothing more. */
export function refuseIfEnded({ status, end_reason }: AgentSessionRow): void {
  if (status !== 'ended') return
  throw new ServiceError(
    'session_ended',
    `This session has ended (${end_reason}).`,
    { endReason: end_reason },
    { next: { operation: 'attach', params: {} } },
  )
}
