import type { Client } from '@svc/client/client'
import type { RouteOutput } from '@svc/contracts/rest'
import { usageFailure } from './output/failure.ts'

export type Queue = RouteOutput<'listRunQueues'>['queues'][number]

/** The queue of that name or id in the project; its default one when none is named. */
export async function findQueue(client: Client, project: string, ref?: string): Promise<Queue> {
  const { queues } = await client.call('listRunQueues', { id: project })
  const wanted = ref?.toLowerCase()
  const found = queues.find(({ id, name, isDefault }) =>
    wanted === undefined ? isDefault : id === wanted || name.toLowerCase() === wanted,
  )
  if (found) return found
  const names = queues.map(({ name }) => name).join(', ')
  throw usageFailure(`This project has no queue ${ref}: use one of ${names}.`)
}

/** The entry of an objective, with the queue that it is in. */
export async function requireEntry(client: Client, ref: string) {
  const { objective } = await client.call('getObjective', { id: ref })
  const { mission } = await client.call('getMission', { id: objective.missionId })
  const { queues } = await client.call('listRunQueues', { id: mission.projectId })
  for (const queue of queues) {
    const entry = queue.entries.find(({ objectiveId }) => objectiveId === objective.id)
    if (entry) return { queue, entry }
  }
  const { displayId } = objective
  throw usageFailure(`${displayId} is in no queue: add it with svc queue add ${displayId}.`)
}
