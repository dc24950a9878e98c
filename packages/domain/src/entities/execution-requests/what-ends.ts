import type { NextStep } from '@svc/contracts/next-step'
import type { ExecutionRequestRow } from '@svc/db/tables'

interface WayOut {
  how: string
  next?: NextStep
}

/** How the run that is in the way ends, and the step towards it; none where an agent came by itself. */
export function whatEnds(request: ExecutionRequestRow | undefined): WayOut {
  if (!request) {
    const how = 'it ends when the agent that attached to it delivers, is silent for long, or is'
    return { how: `${how} called off.` }
  }
  const params = { id: request.id }
  if (request.status === 'queued') {
    const { until } = request.last_release ?? {}
    const how = until === undefined ? 'its run is queued.' : `its run goes on at ${until}.`
    return { how, next: { operation: 'cancelExecutionRequest', params } }
  }
  if (request.outcome === 'parked') {
    const next = { operation: 'listQuestions', params: {} } as const
    return { how: 'it goes on when the question of its agent is answered.', next }
  }
  const how =
    request.cancel_requested_at === null
      ? 'it ends when its agent delivers or exits, or when it is cancelled.'
      : 'its run is being cancelled, and over once its machine says so.'
  return { how, next: { operation: 'getExecutionRequest', params } }
}
