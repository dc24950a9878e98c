import type { FeedChange } from '@svc/contracts/feed'
import type { RouteOutput } from '@svc/contracts/rest'
import { progressOf } from './progress.ts'

type Runs = RouteOutput<'listExecutionRequests'>

/** The list after a change that says all of it; undefined where it has to be read again. */
export function patchRuns(shown: Runs, change: FeedChange): Runs | undefined {
  const { entity, entityId, operation } = change
  if (entity === 'runner') return isAnyQueued(shown) ? undefined : shown
  if (entity !== 'agent_session' || operation !== 'progress') return undefined
  const progress = progressOf(change)
  const executionRequests = shown.executionRequests.map((run) =>
    run.sessionId === entityId ? { ...run, progress } : run,
  )
  return { ...shown, executionRequests }
}

/** What a runner that comes or goes may change of it. */
function isAnyQueued({ executionRequests }: Runs): boolean {
  return executionRequests.some(({ status }) => status === 'queued')
}
