import type { RouteRequest } from '@svc/contracts/rest'
import { progressOf } from '../../data/progress.ts'
import { defineRead } from '../../data/reads.ts'
import { stepTypes } from './steps.ts'

/** Runners that come and go change why none takes it. */
export const runRead = defineRead({
  operation: 'getExecutionRequest',
  touchedBy: ({ entity, entityId, missionId }, { id }) =>
    entityId === id || entity === 'runner' || (entity === 'agent_session' && missionId !== null),
  patch: (answer, change) => {
    const { executionRequest: run } = answer
    const { entity, entityId, operation, missionId } = change
    if (entity === 'runner') return run.status === 'queued' ? undefined : answer
    if (entity !== 'agent_session' || entityId === run.id) return undefined
    if (missionId !== run.missionId) return answer
    if (operation !== 'progress' || entityId !== run.sessionId) return undefined
    return { ...answer, executionRequest: { ...run, progress: progressOf(change) } }
  },
})

/** How people call what it works on. */
export const namesRead = defineRead({
  operation: 'listExecutionRequests',
  touchedBy: ({ entity }) => entity === 'mission' || entity === 'objective',
  patch: (answer, { missionId }) =>
    answer.executionRequests.some((run) => run.missionId === missionId) ? undefined : answer,
})

export const stepsRead = defineRead({
  operation: 'listMissionEvents',
  touchedBy: ({ entity, missionId }, { id }) => entity === 'mission_event' && missionId === id,
})

/** Those of an objective with many runs are more than one page; what is left out is the oldest. */
export function stepsRequest({
  missionId,
  objectiveId,
}: {
  missionId: string
  objectiveId: string
}): RouteRequest<'listMissionEvents'> {
  return { id: missionId, objectiveId, types: stepTypes.join(','), limit: 200 }
}
