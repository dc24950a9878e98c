import { randomUUID } from 'node:crypto'
import type { RouteName } from '@svc/contracts/rest'
import type { RouteRequest } from '@svc/contracts/rest'
import type { ProtocolOperation, ProtocolRequest } from '@svc/contracts/protocol'
import type { Domain } from '@svc/domain/domain'
import { advanceQueues } from '@svc/domain/run-queues/planner'
import { callerWith } from '@svc/testing/caller'
import type { Objective } from '@svc/contracts/objective'
import type { World } from '@svc/testing/open-world'
import { type Lease, type TestRunner, claimBody } from '@svc/testing/runner'

/** One call that is about to be made, in a project of its own. */
export interface Prepared {
  projectId: string
  /** Made through this process. Sent again it is the same call, as a client sends it that got no answer. */
  call: (domain: Domain) => Promise<unknown>
}

type Prepare = (world: World) => Promise<Prepared>
type Named = { token: string }

function route<N extends RouteName>(
  by: Named,
  name: N,
  request: RouteRequest<N>,
): Prepared['call'] {
  const options = { idempotencyKey: randomUUID() }
  return (domain) => callerWith(domain, by.token).call(name, request, options)
}

function protocol<N extends ProtocolOperation>(
  by: Named,
  name: N,
  request: ProtocolRequest<N> & { device?: string },
): Prepared['call'] {
  const options = { idempotencyKey: randomUUID() }
  return (domain) => callerWith(domain, by.token).protocol(name, request, options)
}

const prepared = {
  workingDirectory: '/src/work',
  branch: 'svc/x',
  baseSha: null,
  checkout: 'own',
} as const

/** A project with one mission of a, b and c, and a runner; a is what the calls are about. */
async function scene(world: World, setUp: Parameters<World['missionWith']>[1] = {}) {
  const { alice } = world
  const { mission, project } = await world.missionWith(['a', 'b', 'c'], setUp)
  const runner = await world.connectedRunner(project)
  const [a, b, c] = mission.objectives
  const queue = async () => {
    const { queues } = await alice.call('listRunQueues', { id: project.id })
    return queues[0] ?? Promise.reject(new Error('the default queue has gone'))
  }
  const enqueue = async (...objectives: Objective[]) => {
    for (const { id } of objectives) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await alice.call('queueObjective', { objectiveId: id })
    }
  }
  return { world, alice, mission, project, projectId: project.id, runner, a, b, c, queue, enqueue }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** What was launched, taken by the runner. */
async function claimed({ alice, runner, a }: Scene): Promise<Lease> {
  await alice.launch(a)
  return runner.take()
}

async function started(at: Scene): Promise<Lease> {
  const lease = await claimed(at)
  await at.runner.launching(lease, 'svc/x')
  await at.runner.launched(lease)
  return lease
}

async function attached(at: Scene) {
  const lease = await started(at)
  const agent = at.runner.agent(lease)
  await agent.attach()
  return { lease, agent }
}

const failure = {
  code: 'agent_not_found',
  message: 'It is not installed.',
  phase: 'spawn',
} as const
const exit = { exitCode: 1, signal: null, cause: 'agent', lastOutput: 'bye' } as const
const report = (runner: TestRunner, { id, leaseToken }: Lease) => ({
  runner,
  named: { id, leaseToken },
})

const prepareDelivery = async (at: Scene) => {
  const { agent } = await attached(at)
  return protocol(at.runner, 'deliver', {
    sessionKey: agent.sessionKey(),
    summary: 'Done and checked.',
    artifacts: [{ type: 'note', label: 'Notes', contentText: 'All of it.' }],
    changeRationales: [
      { file_path: 'a.txt', label: 'a', summary: 'a', why: 'because', impact: 'none' },
    ],
  })
}

/** Every kind of call that writes what a mission is made of. */
export const operations = {
  async launch(world) {
    const { alice, projectId, a } = await scene(world)
    return { projectId, call: route(alice, 'launchObjective', { id: a.id, agent: 'scripted' }) }
  },
  async claim(world) {
    const { alice, projectId, a, runner } = await scene(world)
    await alice.launch(a)
    const body = claimBody({ projectIds: [projectId] }, runner.fingerprint, runner.instanceId)
    return { projectId, call: route(runner, 'claimExecutionRequest', body) }
  },
  async launching(world) {
    const at = await scene(world)
    const { runner, named } = report(at.runner, await claimed(at))
    return { ...at, call: route(runner, 'reportLaunching', { ...named, prepared }) }
  },
  async launched(world) {
    const at = await scene(world)
    const lease = await claimed(at)
    await at.runner.launching(lease)
    const { runner, named } = report(at.runner, lease)
    const process = { pid: 4711, pidStartedAt: '1', argvRedacted: [] }
    return { ...at, call: route(runner, 'reportLaunched', { ...named, ...process }) }
  },
  async 'launch that failed, of a queue'(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    await at.alice.call('startRunQueue', { id: (await at.queue()).id })
    const { runner, named } = report(at.runner, await at.runner.take())
    return { ...at, call: route(runner, 'reportFailed', { ...named, ...failure }) }
  },
  async exited(world) {
    const at = await scene(world)
    const { lease } = await attached(at)
    const { runner, named } = report(at.runner, lease)
    return { ...at, call: route(runner, 'reportExited', { ...named, ...exit }) }
  },
  async attach(world) {
    const at = await scene(world)
    const { id, generation } = await started(at)
    const start = { agentIdentifier: 'scripted', executionRequestId: id, generation }
    return { ...at, call: protocol(at.runner, 'attach', start) }
  },
  // before those that leave queues owing: a planner serves all queues
  async dispatch(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    await (
      await prepareDelivery(at)
    )(world.domain)
    return { ...at, call: (domain) => advanceQueues(domain) }
  },
  async 'delivery that advances'(world) {
    const at = await scene(world, { auto_advance: true })
    return { ...at, call: await prepareDelivery(at) }
  },
  async 'delivery that owes a queue'(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    return { ...at, call: await prepareDelivery(at) }
  },
  async 'cancel of what is queued'(world) {
    const at = await scene(world)
    const { executionRequest } = await at.alice.launch(at.a)
    return { ...at, call: route(at.alice, 'cancelExecutionRequest', { id: executionRequest.id }) }
  },
  async 'cancel of what runs'(world) {
    const at = await scene(world)
    const { lease } = await attached(at)
    return { ...at, call: route(at.alice, 'cancelExecutionRequest', { id: lease.id }) }
  },
  async ask(world) {
    const at = await scene(world)
    const { agent } = await attached(at)
    const asked = { sessionKey: agent.sessionKey(), question: 'Tabs or spaces?' }
    return { ...at, call: protocol(at.runner, 'ask', asked) }
  },
  async answer(world) {
    const at = await scene(world)
    const { agent } = await attached(at)
    const { questionId: id } = await agent.ask()
    return { ...at, call: route(at.alice, 'answerQuestion', { id, text: 'Tabs.' }) }
  },
  async 'answer to a parked run'(world) {
    const at = await scene(world)
    const { agent, lease } = await attached(at)
    const { questionId: id } = await agent.ask()
    await at.runner.exited(lease)
    return { ...at, call: route(at.alice, 'answerQuestion', { id, text: 'Tabs.' }) }
  },
  async enqueue(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    const order = { objectiveId: at.a.id, front: true }
    return { ...at, call: route(at.alice, 'queueObjective', order) }
  },
  async start(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    return { ...at, call: route(at.alice, 'startRunQueue', { id: (await at.queue()).id }) }
  },
  async retry(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    await at.alice.call('startRunQueue', { id: (await at.queue()).id })
    await at.runner.failed(await at.runner.take())
    const id = (await at.queue()).entries[0]?.id ?? ''
    return { ...at, call: route(at.alice, 'retryRunQueueEntry', { id }) }
  },
  async 'delete of missions'(world) {
    const at = await scene(world)
    const other = (await world.missionWith(['d'], { project: at.project })).mission
    await at.enqueue(at.b, other.objectives[0])
    await at.alice.launch(at.a)
    const missionIds = [at.mission.id, other.id]
    return { ...at, call: route(at.alice, 'deleteMissions', { missionIds, confirm: true }) }
  },
  async 'delete of objectives'(world) {
    const at = await scene(world)
    await at.enqueue(at.b)
    await at.alice.launch(at.a)
    const objectiveIds = [at.a.id, at.b.id]
    return { ...at, call: route(at.alice, 'deleteObjectives', { objectiveIds, confirm: true }) }
  },
} satisfies Record<string, Prepare>

export type OperationName = keyof typeof operations
// the keys of an object literal are its key type
export const operationNames = Object.keys(operations) as OperationName[]
