import { randomUUID } from 'node:crypto'
import type { Objective } from '@svc/contracts/objective'
import {
  type ProtocolOperation,
  type ProtocolRequest,
  protocolContracts,
} from '@svc/contracts/protocol'
import { type RouteName, type RouteRequest, restContracts } from '@svc/contracts/rest'
import type { EndpointContract, Repeat } from '@svc/contracts/rest/endpoint'
import type { Domain } from '@svc/domain/domain'
import { callerWith } from '@svc/domain/testing/caller'
import type { World } from '@svc/domain/testing/open-world'
import { type RunStage, runUpTo } from '@svc/domain/testing/runs'

/** One call that is about to be made, in a project of its own. */
export interface Prepared {
  projectId: string
  /** Made through this process. Sent again it is the same call, as a client sends it that got no answer. */
  call: (domain: Domain) => Promise<unknown>
  /** Done already, it is answered that. Else a repeat is answered as the call was. */
  repeatDiffers?: true
}

export type Prepare = (world: World) => Promise<Prepared>
type Named = { token: string }

export function route<N extends RouteName>(
  by: Named,
  name: N,
  request: RouteRequest<N>,
): Prepared['call'] {
  const contract: EndpointContract = restContracts[name]
  const options = sentAgain(contract.repeat)
  return (domain) => callerWith(domain, by.token).call(name, request, options)
}

export function protocol<N extends ProtocolOperation>(
  by: Named,
  name: N,
  request: ProtocolRequest<N> & { device?: string },
): Prepared['call'] {
  const options = sentAgain(protocolContracts[name].repeat)
  return (domain) => callerWith(domain, by.token).protocol(name, request, options)
}

/** Under the key of its first try, where such a call is known by its key. */
function sentAgain(repeat: Repeat | undefined) {
  return repeat === 'keyed' ? { idempotencyKey: randomUUID() } : {}
}

/** Nobody calls it: it finds what there is to do, and whatever it fails with, it comes again. */
export function loop(pass: (domain: Domain) => Promise<unknown>): Prepared['call'] {
  const nothing = () => undefined
  return (domain) => pass(domain).then(nothing, nothing)
}

/** A project with one mission of a, b and c, and a runner; a is what the calls are about. */
export async function scene(world: World, setUp: Parameters<World['missionWith']>[1] = {}) {
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
export type Scene = Awaited<ReturnType<typeof scene>>

const run = (stage: RunStage, { alice, runner, a }: Scene) =>
  runUpTo(stage, alice, { objective: a, runner, branch: 'svc/x' })

/** What was launched, taken by the runner. */
export const claimed = async (at: Scene) => (await run('claimed', at)).lease
export const started = async (at: Scene) => (await run('launched', at)).lease
export const attached = (at: Scene) => run('attached', at)
