import type { ProtocolOperation } from '@svc/contracts/protocol'
import type { RouteName } from '@svc/contracts/rest'

type Call = RouteName | `protocol.${ProtocolOperation}`

/** Calls that write nothing but by one transaction, so that nothing of them counts before that has read who calls. */
const calls: ReadonlySet<string> = new Set<Call>([
  'launchObjective',
  'claimExecutionRequest',
  'reportLaunching',
  'reportLaunched',
  'reportExited',
  'protocol.attach',
  'protocol.update',
  'protocol.heartbeat',
  'protocol.deliver',
])

export function isOfOneTransaction(call: string): boolean {
  return calls.has(call)
}
