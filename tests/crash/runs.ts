import {
  type Lease,
  claimBody,
  failure,
  prepared,
  startedProcess,
} from '@svc/domain/testing/runner'
import { type Prepare, attached, claimed, protocol, route, scene, started } from './scene.ts'

const exit = {
  exitCode: 1,
  signal: null,
  cause: 'agent',
  lastOutput: 'bye',
  usage: { inputTokens: 12, usd: '0.25' },
} as const
const named = ({ id, leaseToken }: Lease) => ({ id, leaseToken })

/** What people and runners say of a run, from its launch to its end. */
export const runOperations = {
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
    const report = { ...named(await claimed(at)), prepared: { ...prepared, branch: 'svc/x' } }
    return { ...at, call: route(at.runner, 'reportLaunching', report) }
  },
  async launched(world) {
    const at = await scene(world)
    const lease = await claimed(at)
    await at.runner.launching(lease)
    return {
      ...at,
      call: route(at.runner, 'reportLaunched', { ...named(lease), ...startedProcess }),
    }
  },
  async released(world) {
    const at = await scene(world)
    const report = { ...named(await claimed(at)), reason: 'network' } as const
    return { ...at, repeatDiffers: true, call: route(at.runner, 'reportReleased', report) }
  },
  async failed(world) {
    const at = await scene(world)
    const report = { ...named(await claimed(at)), ...failure }
    return { ...at, call: route(at.runner, 'reportFailed', report) }
  },
  async 'launch that failed, of a queue'(world) {
    const at = await scene(world)
    await at.enqueue(at.a, at.b)
    await at.alice.call('startRunQueue', { id: (await at.queue()).id })
    const report = { ...named(await at.runner.take()), ...failure }
    return { ...at, call: route(at.runner, 'reportFailed', report) }
  },
  async exited(world) {
    const at = await scene(world)
    const { lease } = await attached(at)
    return { ...at, call: route(at.runner, 'reportExited', { ...named(lease), ...exit }) }
  },
  async 'exit of an agent that asked'(world) {
    const at = await scene(world)
    const { lease, agent } = await attached(at)
    await agent.ask()
    return { ...at, call: route(at.runner, 'reportExited', { ...named(lease), ...exit }) }
  },
  async resume(world) {
    const at = await scene(world)
    const { lease } = await attached(at)
    await at.runner.exited(lease)
    return { ...at, call: route(at.alice, 'resumeObjective', { id: at.a.id }) }
  },
  async attach(world) {
    const at = await scene(world)
    const { id, generation } = await started(at)
    const start = { agentIdentifier: 'scripted', executionRequestId: id, generation }
    return { ...at, call: protocol(at.runner, 'attach', start) }
  },
  async 'cancel of what is queued'(world) {
    const at = await scene(world)
    const { executionRequest } = await at.alice.launch(at.a)
    const { id } = executionRequest
    return { ...at, repeatDiffers: true, call: route(at.alice, 'cancelExecutionRequest', { id }) }
  },
  async 'cancel of what runs'(world) {
    const at = await scene(world)
    const { lease } = await attached(at)
    return { ...at, call: route(at.alice, 'cancelExecutionRequest', { id: lease.id }) }
  },
} satisfies Record<string, Prepare>
