import { ServiceError } from '@svc/contracts/errors'
import type { ExecutionRequestRow } from '@svc/db/tables'
import {
  type RequestTrigger,
  allowsRequest,
  requestLifecycle,
  runStatesOf,
} from '../states/table.ts'
import { recordChange } from '../commit/records.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { ofQueued, settleNotices } from '../notifications/settle.ts'
import { countEnd, countRun, countsUnreported } from './count-run.ts'
import { movedFrom } from './moved-from.ts'

type Settable = Partial<Omit<ExecutionRequestRow, 'status' | 'outcome' | 'updated_at'>>

/**
 * The only place that moves a request's status or outcome, save the claim, which must find and move in one. The
 * caller holds the request's lock. Written with the commit.
 */
export function moveRequest(
  tx: UnitOfWork,
  trigger: RequestTrigger,
  request: ExecutionRequestRow,
  set: Settable = {},
): ExecutionRequestRow {
  if (!allowsRequest(trigger, request)) throw invalidTransition(trigger, request)
  const row = requestLifecycle[trigger]
  const written = tx.pending.move('execution_requests', request, {
    ...set,
    status: row.to,
    outcome: 'outcome' in row ? row.outcome : null,
    updated_at: tx.locks.now,
    ...(row.to === 'launched' && request.started_at === null && { started_at: tx.locks.now }),
  })
  if (request.ended_at === null && isOverUntaken(written)) giveBackLaunch(tx, written)
  if (request.used !== null) countEnd(tx, request, written)
  const moved = countsUnreported(written) ? countRun(tx, written) : written
  if (request.status === 'queued') settleNotices(tx, ofQueued, request.workspace_id, [request.id])
  recordRequestChange(tx, moved, trigger)
  return moved
}

/** No runner has taken it, and none will: a launch that counts for no budget. */
function isOverUntaken({ runner_id, ended_at }: ExecutionRequestRow): boolean {
  return runner_id === null && ended_at !== null
}

function giveBackLaunch(tx: UnitOfWork, { workspace_id, mission_id }: ExecutionRequestRow): void {
  tx.locks.require('mission')
  tx.pending.add('missions', { workspace_id, id: mission_id }, { launches: -1 })
}

export function recordRequestChange(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  operation: string,
): void {
  recordChange(tx, { execution_request: request }, operation, {
    status: request.status,
    outcome: request.outcome,
    objectiveId: request.objective_id,
    attempt: request.attempt,
    lastRelease: request.last_release,
  })
}

function invalidTransition(trigger: RequestTrigger, request: ExecutionRequestRow): ServiceError {
  const { status, outcome } = request
  return new ServiceError(
    'invalid_transition',
    movedFrom('a run', { from: runStatesOf(trigger), now: outcome ?? status }),
    { status, outcome },
    { next: { operation: 'getExecutionRequest', params: { id: request.id } } },
  )
}
