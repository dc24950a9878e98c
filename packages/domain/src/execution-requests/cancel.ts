import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isLive } from '@svc/contracts/states'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { moveRequest, recordRequestChange } from '../lifecycle/move-request.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { findPausedBy } from '../entities/run-queues/paused-by.ts'
import type { UseCase } from '../use-case.ts'
import { type Run, lockRun } from '../lifecycle/lock-run.ts'
import { isHeld } from '../states/states.ts'
import { endCancelled } from './end-cancelled.ts'
import { isDeleted } from '../entities/objectives/queries.ts'
import { scopeOfRequest } from '../entities/execution-requests/queries.ts'
import { viewLinked } from '../entities/execution-requests/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Ends a run on the word of a person. Sent again, it finds nothing left to do. Decision 31. */
export async function cancelExecutionRequest(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'cancelExecutionRequest'>,
): Promise<RouteOutput<'cancelExecutionRequest'>> {
  return inTransaction(context, async (tx) => {
    const run = await lockRun(tx, actor.workspaceId, input.id)
    const { mission, request } = run
    const scope = scopeOfRequest(request, input.id)
    authorize(actor, 'execution_request:create', scope)
    if (isDeleted(run)) throw scope.missing()
    const author: Author = { userId: actor.userId, role: 'person' }
    const pausesQueue = await findPausedBy(tx, run.objective)
    const cancelled = await cancelRun(tx, author, run, input.reason)
    return {
      executionRequest: viewLinked(cancelled.request, actor, run.linked),
      objective: viewObjective(mission, cancelled.objective),
      alreadyFinished: cancelled.alreadyFinished,
      pausesQueue: cancelled.alreadyFinished ? null : pausesQueue,
    }
  })
}

interface Cancelled {
  request: ExecutionRequestRow
  objective: ObjectiveRow
  alreadyFinished: boolean
}

/**
 * At once where no process works for it, and where it was held lost; else whoever has it is notified, and it is over once
 * they say so, or after a while without them. The caller holds the locks.
 */
export async function cancelRun(
  tx: UnitOfWork,
  author: Author,
  run: Run,
  reason?: string,
): Promise<Cancelled> {
  const { objective, request } = run
  const isLost = request.outcome === 'lost' && isHeld(request)
  if (!isLive(request) && !isLost) return { request, objective, alreadyFinished: true }
  if (request.cancel_requested_at !== null) return { request, objective, alreadyFinished: false }
  const cancel_reason = reason ?? null
  if (isWithoutProcess(request) || isLost) {
    const ending = { run: { ...run, request: { ...request, cancel_reason } }, author }
    return { ...(await endCancelled(tx, ending, { isOver: !isLost })), alreadyFinished: false }
  }
  const noted = noteCancel(tx, request, cancel_reason)
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'cancel_requested',
      summary: reason === undefined ? 'The run is to end' : `The run is to end: ${reason}`,
      data: { executionRequestId: request.id },
    },
  )
  return { request: noted, objective, alreadyFinished: false }
}

/** Nobody has taken it, or the process has gone and waits to be resumed. */
export function isWithoutProcess({ status, outcome }: ExecutionRequestRow): boolean {
  return status === 'queued' || outcome === 'parked'
}

function noteCancel(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  cancel_reason: string | null,
): ExecutionRequestRow {
  const marked = { cancel_requested_at: tx.locks.now, cancel_reason }
  const noted = tx.pending.move('execution_requests', request, marked)
  recordRequestChange(tx, noted, 'cancel_requested')
  return noted
}

/** Ends what no agent works for yet, and what another takes the place of: its objective stays where it is. */
export function endWaiting(
  tx: UnitOfWork,
  trigger: 'replace' | 'supersede',
  waiting: ExecutionRequestRow,
  { author, summary }: { author: Author; summary: string },
): ExecutionRequestRow {
  const request = moveRequest(tx, trigger, waiting, {
    // a runner that has claimed it can report nothing more
    generation: waiting.generation + (trigger === 'supersede' ? 1 : 0),
    lease_expires_at: null,
    ended_at: tx.locks.now,
  })
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'execution_cancelled',
      summary,
      data: { executionRequestId: request.id, agent: request.agent },
    },
  )
  return request
}
