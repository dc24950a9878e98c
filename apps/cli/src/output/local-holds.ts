import type { AgentHold } from '@svc/contracts/agent-limit'
import { readHolds } from '@svc/runner/files/holds'
import type { Home } from '@svc/runner/files/home'

/** Agents that this machine does not offer now. One that waits for somebody to sign in is asked at its time, and held on. */
export function localHolds(home: Home): AgentHold[] {
  return readHolds(home)
    .filter(({ over, reason, until }) => {
      return !over && (reason === 'signed_out' || Date.parse(until) > Date.now())
    })
    .map(({ agent, reason, until }) => ({ agent, reason, until }))
}
