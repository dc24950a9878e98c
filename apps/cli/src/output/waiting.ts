import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { requestStatuses } from '@svc/contracts/states'
import { withStep } from './next-step.ts'
import { type Runners, listedRunners } from './offered-agents.ts'

/** Why a run that was given back has not started yet, and what would end it. */
export function waitingFor(run: ExecutionRequest): string | undefined {
  const released = releaseOf(run)
  return released === undefined ? undefined : withStep(released, run.lastRelease?.next)
}

/** The same without what would end it. */
export function releaseOf({ status, lastRelease }: ExecutionRequest): string | undefined {
  if (lastRelease == null || requestStatuses[status].live !== true) return undefined
  return lastRelease.detail ?? lastRelease.reason
}

/** The same of a run that none could take, which has to be looked up. */
export async function whyWaiting(
  client: Client,
  run: ExecutionRequest,
): Promise<string | undefined> {
  if (run.status !== 'queued' || run.lastRelease) return waitingFor(run)
  return whyUntaken(await listedRunners(client), run)
}

/** It is queued for a runner that is not there, or for an agent that no connected runner has. */
export function whyUntaken(
  runners: Runners | undefined,
  run: ExecutionRequest | undefined,
): string | undefined {
  if (run?.status !== 'queued' || !runners) return undefined
  const { onlyRunner: name, agent } = run
  const named = runners.filter(({ label }) => name === null || label === name)
  if (name !== null && named.length === 0) return `no runner is called ${name}`
  const connected = named.filter(({ state }) => state === 'connected')
  if (name !== null && connected.length === 0) return `the runner ${name} is away`
  if (connected.some(({ agents }) => agents.includes(agent))) return undefined
  return name === null ? `no runner offers ${agent}` : `the runner ${name} does not offer ${agent}`
}
