import type { RouteRequest } from '@svc/contracts/rest'
import { liveRunStates } from '../../data/contracts.values.ts'
import { patchRuns } from '../../data/patch-runs.ts'
import { defineRead } from '../../data/reads.ts'

const causes: readonly string[] = [
  'execution_request',
  'agent_session',
  'runner',
  'objective',
  'delivery',
]

/** What is queued or under way, and how much of it there is. */
export const runs = defineRead({
  operation: 'listExecutionRequests',
  touchedBy: ({ entity }) => causes.includes(entity),
  patch: patchRuns,
})

/** As many of each as the tallest screen has room for. */
const rowsAtMost = 40

const within = (projects: readonly string[] | undefined) =>
  projects && { projectId: projects.join(',') }

export function needsRequest(projects: readonly string[] | undefined): RouteRequest<'listNeeds'> {
  return { whose: 'all', limit: rowsAtMost, ...within(projects) }
}

export function runsRequest(
  projects: readonly string[] | undefined,
  countSince: string,
): RouteRequest<'listExecutionRequests'> {
  return { states: liveRunStates.join(','), limit: rowsAtMost, countSince, ...within(projects) }
}
