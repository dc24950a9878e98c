import type { Client } from '@svc/client/client'
import { refuse } from '../branches/refuse.ts'
import { statusOf } from '../commands/statuses.ts'
import type { Review } from './read-review.ts'

/** Closes the mission as a person does who has seen enough. */
export async function accept(client: Client, { mission }: Review): Promise<string> {
  const { displayId, projectId, phase, status } = mission
  if (phase === 'complete') return `${displayId} is closed already.`
  if (phase !== 'review') {
    refuse(
      'not_in_review',
      `${displayId} is not in review but ${status.label}, and stays so: svc missions move ${displayId} complete closes it all the same.`,
    )
  }
  const { id, label } = await statusOf(client, projectId, 'complete')
  await client.call('moveMission', { id: displayId, statusId: id })
  return `${displayId} is accepted: ${label}.`
}
