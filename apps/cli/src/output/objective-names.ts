import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'

interface OfObjective {
  readonly missionId: string
  readonly objectiveId: string
}

/** The display ids of their objectives, read mission by mission; what is deleted has none. */
export async function objectiveNames(
  client: Client,
  rows: readonly OfObjective[],
): Promise<(row: OfObjective) => string> {
  const missions = [...new Set(rows.map(({ missionId }) => missionId))]
  const found = await Promise.all(missions.map((id) => objectivesOf(client, id)))
  const names = new Map(found.flat().map(({ id, displayId }) => [id, displayId]))
  return ({ objectiveId }) => names.get(objectiveId) ?? 'deleted'
}

async function objectivesOf(client: Client, id: string) {
  try {
    return (await client.call('getMission', { id })).objectives
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return []
    throw error
  }
}
