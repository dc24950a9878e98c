import { join } from 'node:path'
import { type Client, createClient } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Mission, MissionEvent } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { Enrolment } from '@svc/domain/testing/enrol'
import { type Resource, missionWith, nextName } from '@svc/domain/testing/plans'
import { type Machine, type MachineSetUp, openMachine } from './machine.ts'
import {
  createRepository,
  ofPerson,
  type Repository,
  temporaryFolder,
} from '@svc/testing/temporary'
import { until } from './until.ts'

export interface SceneSetUp {
  /** The instruction of each objective. A line `scripted: …` sets how the scripted agent behaves. */
  instructions?: readonly string[]
  /** A checkout to work in; without one, agents work in the runner's own folder. */
  repository?: boolean
  /** Resources of the project that no machine has. */
  elsewhere?: readonly Resource[]
  /** Its objectives may run at once. */
  parallel?: boolean
}

/** A project with a mission, the person who owns it, and the machines that work for it. */
export interface Scene extends AsyncDisposable {
  client: Client
  /** Whose the token is, by the name that tokens are made for. */
  person: string
  token: string
  project: Project
  mission: Mission
  /** The first of them. */
  objective: Objective
  /** One for each instruction. */
  objectives: readonly Objective[]
  repository: Repository
  /** Another one of that person's. */
  repositoryAt: (name: string) => Repository
  /** A machine of that person with a started daemon. */
  machine: (setUp?: Partial<MachineSetUp>) => Promise<Machine>
  /** Until machines have reported a checkout of every resource. */
  connected: () => Promise<void>
  /** The first objective, unless another is given. Waits, if need be, until a runner has reported the checkout. */
  launch: (agent?: string, resourceKey?: string, objective?: Objective) => Promise<ExecutionRequest>
  /** The newest of the mission. */
  request: () => Promise<ExecutionRequest>
  events: () => Promise<MissionEvent[]>
  countEvents: (type: string) => Promise<number>
  untilRequest: (
    what: string,
    is: (request: ExecutionRequest) => boolean,
  ) => Promise<ExecutionRequest>
  /** The run is over, and its exit was reported. */
  untilEnded: () => Promise<ExecutionRequest>
  /** The same of a run that need not be the newest. */
  untilOver: (id: string) => Promise<ExecutionRequest>
  phase: () => Promise<Mission['phase']>
}

export const resourceKey = 'repository'

export interface TokenOrder extends Partial<Omit<Enrolment, 'name'>> {
  /** Somebody new when left out, so that no test uses up what another one may ask for. */
  person?: string
}

/** A service, and the right to give out its tokens. */
interface Host {
  baseUrl: string
  token: (order?: TokenOrder) => Promise<string>
}

export async function openScene(service: Host, setUp: SceneSetUp = {}): Promise<Scene> {
  const opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(temporaryFolder(ofPerson))
  const person = nextName('person')
  const token = await service.token({ person })
  const runnerToken = await service.token({ person, preset: 'runner' })
  const client = createClient({ baseUrl: service.baseUrl, token })
  const { instructions = ['Write a line.'], elsewhere = [], parallel = false } = setUp
  const resources = [...(setUp.repository ? [{ resourceKey }] : []), ...elsewhere]
  const order = { title: 'Build the bridge', resources, allowParallelObjectives: parallel }
  const { project, mission } = await missionWith(client, instructions, order)
  const [objective] = mission.objectives
  if (objective === undefined) throw new Error('a mission has an objective for each instruction')
  const repositoryAt = (name: string) => createRepository(join(folder, name))
  const repository = repositoryAt('repository')

  const scene: Scene = {
    client,
    person,
    token,
    project,
    mission,
    objective,
    objectives: mission.objectives,
    repository,
    repositoryAt,
    async machine(given = {}) {
      const { baseUrl } = service
      const all = { baseUrl, token: runnerToken, project: project.slug, ...given }
      const machine = opened.use(await openMachine(all))
      if (setUp.repository) machine.link(project, resourceKey, repository.path)
      machine.start()
      return machine
    },
    async connected() {
      await until('every checkout is connected', async () => {
        const { resources } = await client.call('listProjectResources', { id: project.id })
        return resources.every(({ state }) => state === 'connected')
      })
    },
    launch: (agent = 'scripted', chosen, one = objective) =>
      until('the objective can be launched', () => tryLaunch(client, one, agent, chosen)),
    async request() {
      const found = await client.call('listExecutionRequests', { missionId: mission.id, limit: 1 })
      const [request] = found.executionRequests
      if (request === undefined) throw new Error('launch the objective first')
      return request
    },
    events: async () =>
      (await client.call('listMissionEvents', { id: mission.id, limit: 200 })).events,
    countEvents: async (type) =>
      (await scene.events()).filter((event) => event.type === type).length,
    async untilRequest(what, is) {
      let last: ExecutionRequest | undefined
      const look = async () => {
        last = await scene.request().catch(() => undefined)
        return last !== undefined && is(last) ? last : undefined
      }
      return until(`the run is ${what}`, look, { details: () => JSON.stringify(last, null, 1) })
    },
    untilOver: (id) =>
      until('the run is over', async () => {
        const { executionRequest } = await client.call('getExecutionRequest', { id })
        return executionRequest.endedAt === null ? undefined : executionRequest
      }),
    untilEnded: () => scene.untilRequest('over', ({ endedAt }) => endedAt !== null),
    phase: async () => (await client.call('getMission', { id: mission.id })).mission.phase,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
  return scene
}

async function tryLaunch(
  client: Client,
  { id }: Objective,
  agent: string,
  resourceKey: string | undefined,
): Promise<ExecutionRequest | undefined> {
  const choice = { id, agent, ...(resourceKey !== undefined && { resourceKey }) }
  try {
    return (await client.call('launchObjective', choice)).executionRequest
  } catch (error) {
    if (isServiceError(error) && error.code === 'resource_not_connected') return undefined
    throw error
  }
}
