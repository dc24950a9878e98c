import { ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isLive } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { displayIdOf, viewObjective } from '../objectives/views.ts'
import type { UseCase } from '../use-case.ts'
import { type Run, lockRun } from '../lifecycle/lock-run.ts'
import { nowOf } from '../lifecycle/read-under-lock.ts'
import { giveUpResume } from './resume.ts'
import { placeOfRequest } from './queries.ts'
import { viewLinked } from './views.ts'

/** Ends a request that no runner has claimed, for good. Sent again, it finds nothing left to do. Decision 21. */
export async function cancelExecutionRequest(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'cancelExecutionRequest'>,
): Promise<RouteOutput<'cancelExecutionRequest'>> {
  return inTransaction(context, async (tx) => {
    const run = await lockRun(tx, actor.workspaceId, input.id)
    const { mission, request } = run
    authorize(actor, 'execution_request:create', placeOfRequest(request, input.id))
    const alreadyFinished = !isLive(request)
    if (!alreadyFinished && request.status !== 'queued') throw notQueued(run)
    const author: Author = { userId: actor.userId, role: 'person' }
    const ended = alreadyFinished ? run : await cancelQueued(tx, author, run, input.reason)
    return {
      executionRequest: viewLinked(ended.request, actor, run.linked),
      objective: viewObjective(mission, ended.objective),
      alreadyFinished,
    }
  })
}

function notQueued({ mission, objective, request }: Run): ServiceError {
  const displayId = displayIdOf(mission, objective)
  const { how, next } = whatEnds(request)
  return new ServiceError(
    'invalid_transition',
    `A runner has claimed the run of ${displayId}, and only a queued one can be cancelled; ${how}`,
    { status: request.status, outcome: request.outcome, objectiveId: objective.id, displayId },
    { next },
  )
}

interface WayOut {
  how: string
  next?: NextStep
}

/** How the run that is in the way ends, and the step towards it; none where an agent came by itself. */
export function whatEnds(request: ExecutionRequestRow | undefined): WayOut {
  if (!request) {
    return { how: 'it ends when the agent that attached to it delivers, or is silent for long.' }
  }
  const params = { id: request.id }
  if (request.status === 'queued') {
    return { how: 'its run is queued.', next: { operation: 'cancelExecutionRequest', params } }
  }
  if (request.outcome === 'parked') {
    const next = { operation: 'listQuestions', params: {} } as const
    return { how: 'it goes on when the question of its agent is answered.', next }
  }
  const how =
    'it ends when its agent delivers or exits, or when its runner is stopped by a second Ctrl-C.'
  return { how, next: { operation: 'getExecutionRequest', params } }
}

/** Back to where it was launched from; a person ended it, so it is started again by a person alone. */
export async function cancelQueued(
  tx: Tx,
  author: Author,
  run: Omit<Run, 'session'>,
  reason?: string,
): Promise<{ request: ExecutionRequestRow; objective: ObjectiveRow }> {
  const summary = reason === undefined ? 'Cancelled' : `Cancelled: ${reason}`
  const request = endWaiting(tx, 'cancel', run.request, { author, summary })
  if (request.kind === 'resume') {
    const objective = await giveUpResume(tx, { ...run, request, author, outcome: 'cancelled' })
    return { request, objective }
  }
  const objective = await moveObjective(tx, 'runNotStarted', {
    ...run,
    set: { last_outcome: 'cancelled' },
  })
  await followRunEnd(tx, { mission: run.mission, objective }, 'cancelled')
  return { request, objective }
}

/** Ends what no agent works for yet. */
export function endWaiting(
  tx: Tx,
  trigger: 'cancel' | 'replace' | 'supersede',
  waiting: ExecutionRequestRow,
  { author, summary }: { author: Author; summary: string },
): ExecutionRequestRow {
  const request = moveRequest(tx, trigger, waiting, {
    // a runner that has claimed it can report nothing more
    generation: waiting.generation + (trigger === 'supersede' ? 1 : 0),
    lease_expires_at: null,
    ended_at: nowOf(tx),
  })
  recordEvent(tx, author, {
    workspaceId: request.workspace_id,
    missionId: request.mission_id,
    objectiveId: request.objective_id,
    type: 'execution_cancelled',
    summary,
    data: { executionRequestId: request.id, agent: request.agent },
  })
  return request
}
