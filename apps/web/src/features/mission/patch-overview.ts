import type { FeedChange } from '@svc/contracts/feed'
import type { RouteOutput } from '@svc/contracts/rest'
import { progressOf } from '../../data/progress.ts'

export type Overview = RouteOutput<'getMissionOverview'>

/** The overview after a change that says all of it; undefined where it has to be read again. */
export function patchOverview(shown: Overview, change: FeedChange): Overview | undefined {
  const { mission } = shown
  const { entity } = change
  if (entity === 'run_queue') return change.projectId === mission.projectId ? undefined : shown
  if (entity === 'runner') return waitsForRunner(shown) ? undefined : shown
  if (change.missionId !== mission.id) return shown
  if (entity === 'mission' && change.operation === 'shared_state') return shown
  if (entity === 'objective' && change.operation === 'attachment') return shown
  if (entity === 'agent_session' && change.operation === 'progress')
    return progressed(shown, change)
  return undefined
}

/** What a runner that comes or goes may change of it. */
function waitsForRunner({ executionRequests, nextSteps }: Overview): boolean {
  return (
    executionRequests.some(({ status }) => status === 'queued') ||
    nextSteps.some(({ next }) => ['listRunners', 'launchObjective'].includes(next.operation))
  )
}

function progressed(shown: Overview, change: FeedChange): Overview | undefined {
  const { entityId } = change
  const known = shown.executionRequests.some(({ sessionId }) => sessionId === entityId)
  if (!known) return undefined
  const progress = progressOf(change)
  const executionRequests = shown.executionRequests.map((run) =>
    run.sessionId === entityId ? { ...run, progress } : run,
  )
  return { ...shown, executionRequests }
}
