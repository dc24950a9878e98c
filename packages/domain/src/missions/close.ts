import { ServiceError } from '@svc/contracts/errors'
import type { Author } from '../commit/records.ts'
import { type Work, cancelWork, lockWork } from '../objectives/cancel.ts'
import { listActive } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { lockQueuesOf } from '../run-queues/follow.ts'
import { type MissionRecord, findMission } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Closing {
  cancelRunning: boolean
  /** Which closes it. */
  statusId: string
}

/**
 * A mission is closed over what is queued or runs in it only where the caller says so: what is queued is then cancelled
 * at once, and what runs is told to end. The caller holds the mission's lock. Answers the mission as it is then: the end
 * of a run changes what counts in it.
 */
export async function endRuns(
  tx: UnitOfWork,
  author: Author,
  mission: MissionRecord,
  { cancelRunning, statusId }: Closing,
): Promise<MissionRecord> {
  const works: Work[] = []
  for (const objective of await listActive(tx, mission)) works.push(await lockWork(tx, objective))
  if (works.length > 0 && !cancelRunning) throw missionActive(mission, works, statusId)
  if (works.length > 1) await lockQueuesOf(tx, [mission])
  for (const work of works) await cancelWork(tx, author, { mission, ...work })
  const ended = works.length > 0 && (await findMission(tx, mission.workspace_id, mission.id))
  return ended || mission
}

function missionActive(
  mission: MissionRecord,
  works: readonly Work[],
  statusId: string,
): ServiceError {
  const objectives = works.map(({ objective, request }) => ({
    objectiveId: objective.id,
    displayId: displayIdOf(mission, objective),
    state: objective.state,
    executionRequestId: request?.id ?? null,
  }))
  const id = displayIdOfMission(mission)
  const named = objectives.map(({ displayId, state }) => `${displayId} is ${state}`).join(', ')
  return new ServiceError(
    'mission_active',
    `${named}. What is queued or runs is ended only by a move that says so.`,
    { objectives },
    { next: { operation: 'moveMission', params: { id, statusId, cancelRunning: true } } },
  )
}
