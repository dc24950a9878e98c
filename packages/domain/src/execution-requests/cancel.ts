import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../errors.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { displayIdOf, viewObjective } from '../objectives/views.ts'
import type { UseCase } from '../use-case.ts'
import { type Run, lockRun } from './run.ts'
import { viewRequest } from './views.ts'

/** Ends a request that no runner has claimed, for good. Sent again, it finds nothing left to do. Decision 21. */
export async function cancelExecutionRequest(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'cancelExecutionRequest'>,
): Promise<RouteOutput<'cancelExecutionRequest'>> {
  return inTransaction(context, async (tx) => {
    const run = await lockRun(tx, actor.workspaceId, input.id)
    const { mission, objective, request } = run
    authorize(actor, 'execution_request:create', {
      projectId: mission.project_id,
      objectiveId: objective.id,
      missing: notFound('execution request', input.id),
    })
    const alreadyFinished = isOver(request)
    if (!alreadyFinished && request.status !== 'queued') throw notQueued(run)
    const author: Author = { userId: actor.userId, role: 'person' }
    const ended = alreadyFinished ? run : await cancelQueued(tx, author, run, input.reason)
    return {
      executionRequest: await viewRequest(tx, ended.request),
      objective: viewObjective(mission, ended.objective),
      alreadyFinished,
    }
  })
}

function isOver({ status, outcome }: ExecutionRequestRow): boolean {
  if (outcome !== null) return outcome !== 'running' && outcome !== 'parked'
  return status === 'failed' || status === 'cancelled' || status === 'expired'
}

function notQueued({ mission, objective, request }: Run): ServiceError {
  const displayId = displayIdOf(mission, objective)
  return new ServiceError(
    'invalid_transition',
    `A runner has claimed the run of ${displayId}, and only a queued one can be cancelled; ${whatEnds(request)}`,
    { status: request.status, outcome: request.outcome, objectiveId: objective.id, displayId },
  )
}

/** What a person can do about the run that is in the way; nothing where an agent came by itself. */
export function whatEnds(request: ExecutionRequestRow | undefined): string {
  if (!request) return 'it ends when the agent that attached to it delivers, or is silent for long.'
  if (request.status === 'queued') return `cancel it: svc runs cancel ${request.id}`
  return `it ends when its agent delivers or exits, or when its runner is stopped by a second Ctrl-C: svc runs show ${request.id}`
}

/** Back to where it was launched from; a person ended it, so it is started again by a person alone. */
export async function cancelQueued(
  tx: Tx,
  author: Author,
  run: Omit<Run, 'session'>,
  reason?: string,
): Promise<{ request: ExecutionRequestRow; objective: ObjectiveRow }> {
  const summary = reason === undefined ? 'Cancelled' : `Cancelled: ${reason}`
  const request = await endQueued(tx, author, 'cancel', run.request, summary)
  const objective = await moveObjective(tx, 'runNotStarted', {
    ...run,
    set: { last_outcome: 'cancelled' },
  })
  return { request, objective }
}

export async function endQueued(
  tx: Tx,
  author: Author,
  trigger: 'cancel' | 'replace',
  queued: ExecutionRequestRow,
  summary: string,
): Promise<ExecutionRequestRow> {
  const request = await moveRequest(tx, trigger, queued, { ended_at: sql<Date>`app.now()` })
  await recordEvent(tx, author, {
    workspaceId: request.workspace_id,
    missionId: request.mission_id,
    objectiveId: request.objective_id,
    type: 'execution_cancelled',
    summary,
    data: { executionRequestId: request.id, agent: request.agent },
  })
  return request
}
