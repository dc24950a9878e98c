import { randomUUID } from 'node:crypto'
import type { RouteRequest } from '@svc/contracts/rest'
import {
  type Lease,
  claimBody,
  leaseOf,
  prepared,
  startedProcess,
} from '@svc/domain/testing/runner'
import type { ApiClient } from './client.ts'

export const agent = 'scripted'

/** A runner's machine, which claims for one project. */
export interface Machine {
  fingerprint: string
  instanceId: string
  projectId: string
  agent: string
}

export function machineFor(projectId: string, offered = agent): Machine {
  const fingerprint = `device-${randomUUID()}`
  return { fingerprint, instanceId: randomUUID(), projectId, agent: offered }
}

export function claimOf(machine: Machine): RouteRequest<'claimExecutionRequest'> {
  const setUp = { projectIds: [machine.projectId], agents: [machine.agent], label: 'bench' }
  return claimBody(setUp, machine.fingerprint, machine.instanceId)
}

/** One run on its way from the launch to the delivery. */
export interface Run {
  objectiveId: string
  token: string
  machine: Machine
  lease?: Lease
  sessionKey?: string
}

export type Step = (api: ApiClient, run: Run) => Promise<void>

/** The calls of a cycle in their order. */
export const steps: Readonly<Record<string, Step>> = {
  async launch(api, { token, objectiveId }) {
    await api.call('launchObjective', token, { id: objectiveId, agent })
  },
  async claim(api, run) {
    const answer = await api.call('claimExecutionRequest', run.token, claimOf(run.machine))
    run.lease = leaseOf(answer)
  },
  async launching(api, run) {
    const report = { ...nameOf(run), prepared: { ...prepared, branch: 'svc/bench' } }
    await api.call('reportLaunching', run.token, report)
  },
  async launched(api, run) {
    await api.call('reportLaunched', run.token, { ...nameOf(run), ...startedProcess })
  },
  async attach(api, run) {
    const { id, generation } = requireLease(run)
    const { sessionKey } = await api.protocol('attach', run.token, {
      agentIdentifier: agent,
      executionRequestId: id,
      generation,
      'x-svc-device': run.machine.fingerprint,
    })
    run.sessionKey = sessionKey
  },
  async deliver(api, { token, sessionKey }) {
    await api.protocol('deliver', token, { sessionKey, summary: 'Done, and checked by its tests.' })
  },
}

export async function walk(api: ApiClient, run: Run): Promise<void> {
  for (const step of Object.values(steps)) await step(api, run)
}

export function requireLease({ lease }: Run): Lease {
  if (!lease) throw new Error('claim the run first')
  return lease
}

function nameOf(run: Run): { id: string; leaseToken: string } {
  const { id, leaseToken } = requireLease(run)
  return { id, leaseToken }
}
