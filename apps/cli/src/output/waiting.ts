import type { Client } from '@svc/client/client'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { requestStatuses } from '@svc/contracts/states'
import { withStep } from './next-step.ts'
import { offeredAgents } from './offered-agents.ts'

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
  const agents = await offeredAgents(client)
  return isOfferedByNobody({ ...(agents && { agents }) }, run)
    ? `no runner offers ${run.agent}`
    : undefined
}

/** It is queued for an agent that no connected runner has. */
export function isOfferedByNobody(
  { agents }: { agents?: readonly string[] },
  run: ExecutionRequest | undefined,
): boolean {
  return run?.status === 'queued' && agents !== undefined && !agents.includes(run.agent)
}
