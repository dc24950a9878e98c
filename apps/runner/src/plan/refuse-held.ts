import { describeHold } from '@svc/contracts/agent-limit'
import { findHold, isHolding } from '../files/holds.ts'
import { homeAt } from '../files/home.ts'
import { LaunchRelease } from '../launch-failure.ts'
import type { RunOrder } from '../run/order.ts'

/** Another run has met the limit of this agent's provider since the claim that this one came with. Decision 87. */
export function refuseHeld({ assignment, home, device }: RunOrder): void {
  const { agent } = assignment.executionRequest
  const hold = findHold(homeAt(home), agent)
  if (!hold || !isHolding(hold, Date.now())) return
  const { reason, until } = hold
  const message = `Runner ${device.label} holds ${describeHold({ agent, reason, until })}.`
  throw new LaunchRelease(reason, message, { until })
}
