import type { RouteRequest } from '@svc/contracts/rest'
import { liveRunStates } from '../../data/contracts.values.ts'
import { patchRuns } from '../../data/patch-runs.ts'
import { defineRead } from '../../data/reads.ts'

/** What is under way, with why a launch is not taken. */
export const runs = defineRead({
  operation: 'listExecutionRequests',
  touchedBy: ({ entity }) => ['execution_request', 'agent_session', 'runner'].includes(entity),
  patch: patchRuns,
})

/** The newest; as many as one looks over. */
export const runsAtOnce = 20

export function runsRequest(projectId: string | undefined): RouteRequest<'listExecutionRequests'> {
  return {
    states: liveRunStates.join(','),
    limit: runsAtOnce,
    ...(projectId !== undefined && { projectId }),
  }
}

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
