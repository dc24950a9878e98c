import { randomUUID } from 'node:crypto'
import { createClient } from '@svc/client/client'
import { claimBody, leaseOf, prepared, startedProcess } from '@svc/domain/testing/runner'

/** What the service has acknowledged of one objective that was carried through. */
export interface Carried {
  missionId: string
  requestId: string
  deliveryId: string
}

export interface Cycles {
  /** In the order in which they ended. */
  readonly carried: readonly Carried[]
  /** Lets each end what it has begun; a refusal of any call rejects. */
  stop: () => Promise<void>
}

const agent = 'scripted'
const exit = { exitCode: 0, signal: null, cause: 'agent', lastOutput: 'bye' } as const

/**
 * Clients that each carry one objective after the other from its launch to its delivery, as person, runner and agent, each
 * at its turn. A call that gets no answer is sent again under its key until it gets one.
 */
export function startCycles(
  many: number,
  to: { baseUrl: string; token: string },
  turn: () => Promise<void> = () => Promise.resolve(),
): Cycles {
  const client = createClient({ ...to, retry: { attempts: Infinity, mostMs: 500 } })
  const carried: Carried[] = []
  let isOver = false

  async function carryAll(): Promise<void> {
    const { project } = await client.call('createProject', { name: `Load ${randomUUID()}` })
    const device = `device-${randomUUID()}`
    const setUp = { projectIds: [project.id], agents: [agent] }
    const instanceId = randomUUID()
    for (await turn(); !isOver; await turn()) {
      const claim = claimBody(setUp, device, instanceId)
      carried.push(await carry({ project, device, claim }))
    }
  }

  async function carry({ project, device, claim }: Place): Promise<Carried> {
    const order = { projectId: project.id, title: 'Carried', objectives: [{ instruction: 'Go.' }] }
    const { mission, objectives } = await client.call('createMission', order)
    const [objective] = objectives
    if (objective === undefined) throw new Error('a mission has what it was ordered with')
    const launch = { id: objective.id, agent }
    const { executionRequest } = await client.call('launchObjective', launch)
    const {
      id: requestId,
      leaseToken,
      generation,
    } = leaseOf(await client.call('claimExecutionRequest', claim))
    const report = { id: requestId, leaseToken }
    await client.call('reportLaunching', { ...report, prepared: { ...prepared, branch: 'svc/x' } })
    await client.call('reportLaunched', { ...report, ...startedProcess })
    const start = { executionRequestId: requestId, generation, 'x-svc-device': device }
    const { sessionKey } = await client.protocol('attach', { agentIdentifier: agent, ...start })
    const { deliveryId } = await client.protocol('deliver', { sessionKey, summary: 'Done.' })
    await client.call('reportExited', { ...report, ...exit })
    if (requestId !== executionRequest.id) throw new Error('another launch was claimed')
    return { missionId: mission.id, requestId, deliveryId }
  }

  const all = Promise.all(Array.from({ length: many }, carryAll))
  // whoever stops them is told
  all.catch(() => undefined)
  return {
    carried,
    async stop() {
      isOver = true
      await all
    },
  }
}

interface Place {
  project: { id: string }
  device: string
  claim: ReturnType<typeof claimBody>
}
