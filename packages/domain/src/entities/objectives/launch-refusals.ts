import { ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import { isClosed } from '@svc/contracts/states'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { whatEnds } from '../execution-requests/what-ends.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { displayIdOfMission } from '../missions/views.ts'
import { displayIdOf } from './views.ts'

export function refuseIfBlank(mission: MissionRecord, objective: ObjectiveRow): void {
  if (!objective.blank) return
  const id = displayIdOf(mission, objective)
  throw new ServiceError('objective_blank', `${id} has no instruction yet.`, undefined, {
    next: { operation: 'updateObjective', params: { id } },
  })
}

/** A person's word stands: only a person's move opens a closed mission again. */
export function refuseIfClosed(mission: MissionRecord, { state }: ObjectiveRow): void {
  if (!isClosed(mission.status_type)) return
  const id = displayIdOfMission(mission)
  throw new ServiceError(
    'objective_not_launchable',
    `${id} is ${mission.status_label}, so nothing of it is worked on before it is in execution again.`,
    { state },
    { next: { operation: 'moveMission', params: { id } } },
  )
}

export function refuseIfNotLaunchable(
  mission: MissionRecord,
  objective: ObjectiveRow,
  live: ExecutionRequestRow | undefined,
): void {
  refuseIfClosed(mission, objective)
  const id = displayIdOf(mission, objective)
  const { state } = objective
  const refuse = (what: string, next: NextStep | undefined, details: object = {}) => {
    const all = { state, ...details }
    throw new ServiceError('objective_not_launchable', what, all, { next })
  }
  if (state === 'complete') {
    const params = { id: displayIdOfMission(mission) }
    const next = { operation: 'addObjectives', params } as const
    refuse(`${id} is complete and cannot be launched.`, next)
  }
  const isRunning = state === 'executing' || (live && live.status !== 'queued')
  if (isRunning) {
    const { how, next } = whatEnds(live)
    const runs = { operation: 'listExecutionRequests', params: { objectiveId: id } } as const
    refuse(`${id} is ${state}; ${how}`, next ?? runs, { executionRequestId: live?.id ?? null })
  }
}

/** One active objective at a time, unless the mission allows more. Checked under its lock; an index stands behind. */
export function refuseIfBusy(
  mission: MissionRecord,
  objective: Pick<ObjectiveRow, 'id'>,
  active: readonly ObjectiveRow[],
): void {
  if (mission.allow_parallel_objectives) return
  const other = active.find((one) => one.id !== objective.id)
  if (!other) return
  const displayId = displayIdOf(mission, other)
  const what =
    other.deleted_at === null ? `is ${other.state}` : 'was deleted, and its run is being ended'
  throw new ServiceError(
    'mission_busy',
    `${displayId} ${what}. Wait for it, or allow parallel objectives on the mission.`,
    { objectiveId: other.id, displayId, state: other.state },
    {
      next: {
        operation: 'updateMission',
        params: { id: displayIdOfMission(mission), allowParallelObjectives: true },
      },
    },
  )
}
