import type { HeldAgent } from '@svc/contracts/runner'
import { type FoundAgent, isSignedOut } from '../agents/discover.ts'
import {
  type Hold,
  endHold,
  findHold,
  holdAgent,
  isHolding,
  ofLooks,
  readHolds,
} from '../files/holds.ts'
import type { Home } from '../files/home.ts'

/** What a claim says of the agents of this machine. */
export interface Offer {
  agents: FoundAgent[]
  heldAgents: HeldAgent[]
  /** Of agents that work again before the time that the service knows. */
  ended: Hold[]
}

export function offerOf(home: Home, found: readonly FoundAgent[], nowMs = Date.now()): Offer {
  const holds = readHolds(home)
  const holding = holds.filter((hold) => isHolding(hold, nowMs, isAsked(hold, found)))
  const held = new Set(holding.map(({ agent }) => agent))
  return {
    agents: found.filter(({ adapter }) => !held.has(adapter.key)),
    heldAgents: holding
      .filter(({ agent }) => found.some(({ adapter }) => adapter.key === agent))
      .map(({ agent: key, reason, until }) => ({ key, reason, until })),
    ended: holds.filter(({ over, reported }) => over && !reported),
  }
}

/** Whether its tool says by itself that somebody is signed in. */
function isAsked({ agent, reason }: Hold, found: readonly FoundAgent[]): boolean {
  const adapter = found.find((one) => one.adapter.key === agent)?.adapter
  return reason === 'signed_out' && adapter?.signIn !== undefined
}

/** Asks the tools to which nobody was signed in, less often the longer that lasts. No model is called. */
export async function lookAtSignIns(
  home: Home,
  found: readonly FoundAgent[],
  { SVC_USER_TOKEN: _token, ...env }: NodeJS.ProcessEnv,
): Promise<void> {
  for (const hold of readHolds(home)) {
    const isDue = !hold.over && Date.parse(hold.until) <= Date.now() && isAsked(hold, found)
    const agent = isDue ? found.find(({ adapter }) => adapter.key === hold.agent) : undefined
    if (agent === undefined) continue
    const path = agent.command.at(-1) ?? agent.adapter.binary
    const isOut = await isSignedOut(agent.adapter, path, env)
    // a person or another run may have said something of it meanwhile
    if (JSON.stringify(findHold(home, hold.agent)) !== JSON.stringify(hold)) continue
    if (isOut) holdAgent(home, hold.agent, { kind: 'signed_out' }, { pace: ofLooks })
    else endHold(home, hold, { byPerson: false })
  }
}
