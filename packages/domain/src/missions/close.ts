import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { Author } from '../commit/records.ts'
import { cancelQueued, whatEnds } from '../execution-requests/cancel.ts'
import { listActive } from '../objectives/queries.ts'
import { lockLiveRequest } from '../objectives/relaunch.ts'
import { displayIdOf } from '../objectives/views.ts'
import type { MissionRecord } from './queries.ts'
import { displayIdOfMission } from './views.ts'

interface Active {
  objective: ObjectiveRow
  request: ExecutionRequestRow | undefined
}

/**
 * A mission is closed with nothing queued or running in it: what is queued is cancelled where the caller says so, and
 * what runs refuses. The caller holds the mission's lock.
 */
export async function endQueuedRuns(
  tx: Tx,
  author: Author,
  mission: MissionRecord,
  cancelRunning: boolean,
): Promise<void> {
  const actives: Active[] = []
  for (const objective of await listActive(tx, mission)) {
    actives.push({ objective, request: await lockLiveRequest(tx, objective) })
  }
  const running = actives.filter((one) => one.request?.status !== 'queued')
  const [first] = running
  if (first) throw missionActive(mission, actives, first, whatEnds(first.request))
  const [queued] = actives
  if (queued && !cancelRunning) {
    const id = displayIdOfMission(mission)
    throw missionActive(mission, actives, queued, {
      how: 'a move with cancelRunning cancels what is queued.',
      next: { operation: 'moveMission', params: { id } },
    })
  }
  for (const { objective, request } of actives) {
    if (request) await cancelQueued(tx, author, { mission, objective, request })
  }
}

function missionActive(
  mission: MissionRecord,
  actives: readonly Active[],
  { objective }: Active,
  { how, next }: ReturnType<typeof whatEnds>,
): ServiceError {
  const objectives = actives.map((one) => ({
    objectiveId: one.objective.id,
    displayId: displayIdOf(mission, one.objective),
    state: one.objective.state,
    executionRequestId: one.request?.id ?? null,
  }))
  return new ServiceError(
    'mission_active',
    `${displayIdOf(mission, objective)} is ${objective.state}; ${how}`,
    { objectives },
    { next },
  )
}
