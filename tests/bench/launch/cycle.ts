import { randomUUID } from 'node:crypto'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
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
  return {
    claimId: randomUUID(),
    projectIds: [machine.projectId],
    device: { fingerprint: machine.fingerprint, label: 'bench', platform: 'linux', arch: 'x64' },
    runner: {
      instanceId: machine.instanceId,
      version: '1.0.0',
      capacity: { max: 4, running: 0 },
    },
    agents: [{ key: machine.agent, version: null, path: `/bin/${machine.agent}` }],
    resources: [],
  }
}

/** One run on its way from the launch to the delivery. */
export interface Run {
  objectiveId: string
  token: string
  machine: Machine
  lease?: { id: string; leaseToken: string; generation: number }
  sessionKey?: string
}

type Step = (api: ApiClient, run: Run) => Promise<void>

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
    const prepared = {
      workingDirectory: '/src/work',
      branch: 'svc/bench',
      baseSha: null,
      checkout: 'own',
    } as const
    await api.call('reportLaunching', run.token, { ...nameOf(run), prepared })
  },
  async launched(api, run) {
    const process = { pid: 4711, pidStartedAt: '1', argvRedacted: [agent] }
    await api.call('reportLaunched', run.token, { ...nameOf(run), ...process })
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

export function leaseOf({
  request,
  leaseToken,
}: RouteOutput<'claimExecutionRequest'>): NonNullable<Run['lease']> {
  if (!request || leaseToken === undefined) throw new Error('the claim found nothing to take')
  const { id, generation } = request.executionRequest
  return { id, leaseToken, generation }
}

function requireLease({ lease }: Run): NonNullable<Run['lease']> {
  if (!lease) throw new Error('claim the run first')
  return lease
}

function nameOf(run: Run): { id: string; leaseToken: string } {
  const { id, leaseToken } = requireLease(run)
  return { id, leaseToken }
}
