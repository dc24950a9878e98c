import type { Client } from '@svc/client/client'
import type { MissionBranch } from '@svc/contracts/assigned-branches'
import type { MissionEvent } from '@svc/contracts/mission'
import type { Permission } from '@svc/contracts/permissions'
import type { RouteOutput } from '@svc/contracts/rest'
import { unmergedOf } from '../branches/unmerged.ts'
import { type Cli } from '../cli.ts'
import type { Queue } from '../queue-ref.ts'
import { runnerHomeToRead } from '../runner-home.ts'
import { calledOff } from './called-off.ts'
import { everyPage } from './every-page.ts'
import { type Runners, agentsOf, listedRunners, unlessForbidden } from './offered-agents.ts'
import { ownRights } from './own-rights.ts'
import { type Runs, type Run, lastOfEach, readRuns } from './run-end.ts'

type Mission = RouteOutput<'getMission'>

/** All that a person wants to know of a mission, at one moment. */
export interface Story extends Mission {
  /** The newest first. */
  readonly executionRequests: readonly Run[]
  /** Also those that were answered. */
  readonly questions: RouteOutput<'listQuestions'>['questions']
  /** Those that hold an objective of the mission, with these entries alone. */
  readonly queues: readonly Queue[]
  readonly deliveries: RouteOutput<'listDeliveries'>['deliveries']
  readonly artifacts: RouteOutput<'listArtifacts'>['artifacts']
  /** Who attached last to each objective that is worked on, launched or not. */
  readonly workers: readonly Worker[]
  /** Who called off which run and why, as far as the newest events tell. */
  readonly calledOff: Readonly<Record<string, string>>
  /** With what the connected ones offer; unknown to who may list none. */
  readonly runners?: Runners
  readonly agents?: readonly string[]
  /** What the person who looks may do; unknown where nobody says so. */
  readonly rights: ReadonlySet<Permission> | undefined
  /** Branches with work that is in no base, as far as this machine knows. */
  readonly unmerged: readonly MissionBranch[]
}

interface Worker {
  readonly objectiveId: string
  readonly agent: string
  readonly executionRequestId: string | null
}

export async function readStory(cli: Cli, client: Client, id: string): Promise<Story> {
  const { mission, objectives } = await client.call('getMission', { id })
  const [{ questions }, queues, deliveries, { artifacts }, { events }] = await Promise.all([
    client.call('listQuestions', { missionId: id, limit: 50 }),
    unlessForbidden(queuesOf(client, mission.projectId)),
    deliveriesOf(client, id),
    client.call('listArtifacts', { id, limit: 200 }),
    client.call('listMissionEvents', { id, limit: 200 }),
  ])
  const [executionRequests, runners, unmerged, rights] = await Promise.all([
    readRuns(client, id, objectives),
    listedRunners(client),
    unmergedOf(client, runnerHomeToRead(cli), id),
    ownRights(client),
  ])
  const own = new Set(objectives.map((objective) => objective.id))
  const holding = (queues ?? [])
    .map((queue) => ({
      ...queue,
      entries: queue.entries.filter(({ objectiveId }) => own.has(objectiveId)),
    }))
    .filter(({ entries }) => entries.length > 0)
  return {
    mission,
    objectives,
    executionRequests,
    questions,
    queues: holding,
    deliveries,
    artifacts,
    workers: objectives.flatMap((objective) => workerOn(objective, events)),
    calledOff: Object.fromEntries(calledOff(events)),
    ...(runners && { runners, agents: agentsOf(runners) }),
    unmerged,
    rights,
  }
}

function workerOn({ id, state }: Mission['objectives'][number], events: readonly MissionEvent[]) {
  if (state !== 'executing') return []
  const attached = events.find(
    ({ objectiveId, type }) => objectiveId === id && type === 'session_attached',
  )
  const { agent, executionRequestId } = attached?.data ?? {}
  if (typeof agent !== 'string') return []
  const run = typeof executionRequestId === 'string' ? executionRequestId : null
  return [{ objectiveId: id, agent, executionRequestId: run }]
}

export function lastRunsOf({ executionRequests }: Story): Runs {
  return lastOfEach(executionRequests)
}

async function queuesOf(client: Client, projectId: string): Promise<readonly Queue[]> {
  return (await client.call('listRunQueues', { id: projectId })).queues
}

async function deliveriesOf(client: Client, id: string): Promise<Story['deliveries']> {
  const found: Story['deliveries'] = []
  for await (const page of everyPage((query) => client.call('listDeliveries', { id, ...query }))) {
    found.push(...page.deliveries)
  }
  return found
}
