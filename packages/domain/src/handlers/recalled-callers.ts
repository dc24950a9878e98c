import type { ProtocolOperation } from '@svc/contracts/protocol'
import type { RouteName } from '@svc/contracts/rest'

/** Calls that write nothing before a transaction of theirs, or they themselves, have read who calls. */
export const recalling = [
  'launchObjective',
  'claimExecutionRequest',
  'reportLaunching',
  'reportLaunched',
  'reportExited',
  'heartbeatRunner',
  'protocol.attach',
  'protocol.update',
  'protocol.heartbeat',
  'protocol.deliver',
] as const satisfies readonly (RouteName | `protocol.${ProtocolOperation}`)[]

const calls: ReadonlySet<string> = new Set(recalling)

export function mayBeRecalled(call: string): boolean {
  return calls.has(call)
}
