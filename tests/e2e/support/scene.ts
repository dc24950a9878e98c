import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Mission, MissionEvent } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import { type Machine, type MachineSetUp, openMachine } from './machine.ts'
import { type TokenOrder, newPerson } from './people.ts'
import { type Repository, createRepository } from './repository.ts'
import { temporaryFolder } from './temporary.ts'
import { until } from './until.ts'

export interface SceneSetUp {
  /** The instruction of each objective. A line `scripted: …` sets how the scripted agent behaves. */
  instructions?: readonly string[]
  /** A checkout to work in; without one, agents work in the runner's own folder. */
  repository?: boolean
  /** Resources of the project that no machine has. */
  elsewhere?: readonly { resourceKey: string; permission?: 'rw' | 'ro'; primary?: boolean }[]
}

/** A project with a mission, the person who owns it, and the machines that work for it. */
export interface Scene extends AsyncDisposable {
  client: Client
  token: string
  project: Project
  mission: Mission
  objective: Objective
  repository: Repository
  /** A machine of that person with a started daemon. */
  machine: (setUp?: Partial<MachineSetUp>) => Promise<Machine>
  /** Waits, if need be, until a runner has reported the checkout. */
  launch: (agent?: string, resourceKey?: string) => Promise<ExecutionRequest>
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
  phase: () => Promise<Mission['phase']>
}

export const resourceKey = 'repository'

/** A service, and the right to give out its tokens. */
interface Host {
  baseUrl: string
  token: (order?: TokenOrder) => Promise<string>
}

export async function openScene(service: Host, setUp: SceneSetUp = {}): Promise<Scene> {
  const opened = new AsyncDisposableStack()
  const folder = temporaryFolder()
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const person = newPerson()
  const token = await service.token({ person })
  const runnerToken = await service.token({ person, preset: 'runner' })
  const client = createClient({ baseUrl: service.baseUrl, token })
  const { project } = await client.call('createProject', { name: `Project ${token.slice(-6)}` })
  const instructions = setUp.instructions ?? ['Write a line.']
  const { mission, objectives } = await client.call('createMission', {
    projectId: project.id,
    title: 'Build the bridge',
    objectives: instructions.map((instruction) => ({ instruction })),
  })
  const [objective] = objectives
  if (objective === undefined) throw new Error('a mission has an objective for each instruction')
  const repository = createRepository(join(folder, 'repository'))
  if (setUp.repository) await client.call('linkProjectResource', { id: project.id, resourceKey })
  for (const resource of setUp.elsewhere ?? []) {
    await client.call('linkProjectResource', { id: project.id, ...resource })
  }

  const scene: Scene = {
    client,
    token,
    project,
    mission,
    objective,
    repository,
    async machine(given = {}) {
      const { baseUrl } = service
      const all = { baseUrl, token: runnerToken, project: project.slug, ...given }
      const machine = opened.use(await openMachine(all))
      if (setUp.repository) machine.link(project, resourceKey, repository.path)
      machine.start()
      return machine
    },
    launch: (agent = 'scripted', chosen) =>
      until('the objective can be launched', () => tryLaunch(client, objective, agent, chosen)),
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
