import type { Client } from '@svc/client/client'
import { isServiceError } from '@svc/contracts/errors'
import type { Objective } from '@svc/contracts/objective'

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

async function objectivesOf(client: Client, id: string): Promise<readonly Objective[]> {
  const found = await unlessGone(client.call('getMission', { id }))
  return found?.objectives ?? []
}

/** Runs and deliveries outlive their objective. */
export async function findObjective(client: Client, id: string): Promise<Objective | undefined> {
  return (await unlessGone(client.call('getObjective', { id })))?.objective
}

async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
