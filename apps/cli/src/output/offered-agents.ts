import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'

/** The keys of the agents that connected runners have; undefined for who may list no runners. */
export async function offeredAgents(client: Client): Promise<readonly string[] | undefined> {
  const answer = await unlessForbidden(client.call('listRunners', {}))
  const connected = answer?.runners.filter(({ state }) => state === 'connected')
  return connected && [...new Set(connected.flatMap(({ agents }) => agents))]
}

/** Who may read a mission alone sees no queue and no runner. */
export async function unlessForbidden<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isServiceError(error) && error.code === 'forbidden') return undefined
    throw error
  }
}
