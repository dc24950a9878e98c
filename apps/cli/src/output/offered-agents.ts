import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { RouteOutput } from '@svc/contracts/rest'

export type Runners = RouteOutput<'listRunners'>['runners']

/** The keys of the agents that connected runners have; undefined for who may list no runners. */
export async function offeredAgents(client: Client): Promise<readonly string[] | undefined> {
  const runners = await listedRunners(client)
  return runners && agentsOf(runners)
}

export function agentsOf(runners: Runners): readonly string[] {
  const connected = runners.filter(({ state }) => state === 'connected')
  return [...new Set(connected.flatMap(({ agents }) => agents))]
}

/** Undefined for who may list none. */
export async function listedRunners(client: Client): Promise<Runners | undefined> {
  return (await unlessForbidden(client.call('listRunners', {})))?.runners
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
