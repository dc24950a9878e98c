import { canGoOn } from '../agents/adapter.ts'
import type { RunOrder } from '../run/order.ts'

/** The agent's own conversation to go on with, where there is one and the agent can. */
export function resumedSession({
  assignment,
  agent,
}: Pick<RunOrder, 'assignment' | 'agent'>): string | undefined {
  const known = assignment.resume?.externalSessionId
  // it enters the agent's arguments, so that it must not read as one of them
  const isId = typeof known === 'string' && /^[0-9A-Za-z][0-9A-Za-z._:-]*$/.test(known)
  return isId && agent !== null && canGoOn(agent.adapter) ? known : undefined
}

/** It goes on with a run, and whoever works knows of that only what stands here. */
export function beginsAnew(order: RunOrder): boolean {
  return order.assignment.resume !== null && resumedSession(order) === undefined
}
