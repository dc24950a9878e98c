import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Queue } from '../queue-ref.ts'
import { everyPage } from './every-page.ts'
import { type Runs, type Run, lastOfEach, readRuns } from './run-end.ts'

type Mission = RouteOutput<'getMission'>

/** All that a person wants to know of a mission, at one moment. */
export interface Story extends Mission {
  /** The newest first. */
  readonly executionRequests: readonly Run[]
  readonly questions: RouteOutput<'listQuestions'>['questions']
  /** Those that hold an objective of the mission, with these entries alone. */
  readonly queues: readonly Queue[]
  readonly deliveries: RouteOutput<'listDeliveries'>['deliveries']
}

export async function readStory(client: Client, id: string): Promise<Story> {
  const { mission, objectives } = await client.call('getMission', { id })
  const [executionRequests, { questions }, queues, deliveries] = await Promise.all([
    readRuns(client, id, objectives),
    client.call('listQuestions', { missionId: id, status: 'open', limit: 50 }),
    queuesOf(client, mission.projectId),
    deliveriesOf(client, id),
  ])
  const own = new Set(objectives.map((objective) => objective.id))
  const holding = queues
    .map((queue) => ({
      ...queue,
      entries: queue.entries.filter(({ objectiveId }) => own.has(objectiveId)),
    }))
    .filter(({ entries }) => entries.length > 0)
  return { mission, objectives, executionRequests, questions, queues: holding, deliveries }
}

export function lastRunsOf({ executionRequests }: Story): Runs {
  return lastOfEach(executionRequests)
}

/** Who may read the mission alone sees no queue. */
async function queuesOf(client: Client, projectId: string): Promise<readonly Queue[]> {
  try {
    return (await client.call('listRunQueues', { id: projectId })).queues
  } catch (error) {
    if (isServiceError(error) && error.code === 'forbidden') return []
    throw error
  }
}

async function deliveriesOf(client: Client, id: string): Promise<Story['deliveries']> {
  const found: Story['deliveries'] = []
  for await (const page of everyPage((query) => client.call('listDeliveries', { id, ...query }))) {
    found.push(...page.deliveries)
  }
  return found
}
