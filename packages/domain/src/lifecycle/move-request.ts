import { ServiceError } from '@svc/contracts/errors'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, Tables } from '@svc/db/tables'
import { type UpdateObject, sql } from 'kysely'
import { type RequestTrigger, requestLifecycle } from './table.ts'
import { recordChange } from '../commit/records.ts'

type Settable = Omit<UpdateObject<Tables, 'execution_requests'>, 'status' | 'outcome'>

/**
 * The only statement that writes a request's status or outcome, save the claim, which must find and move in one. The
 * caller holds the request's lock.
 */
export async function moveRequest(
  tx: Tx,
  trigger: RequestTrigger,
  request: ExecutionRequestRow,
  set: Settable = {},
): Promise<ExecutionRequestRow> {
  const row = requestLifecycle[trigger]
  let statement = tx
    .updateTable('execution_requests')
    .set({
      ...set,
      status: row.to,
      outcome: 'outcome' in row ? row.outcome : null,
      updated_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', request.workspace_id)
    .where('id', '=', request.id)
    .where('status', 'in', row.from)
  if ('outcomeFrom' in row) {
    const outcomes = row.outcomeFrom
    statement = statement.where((where) =>
      where.or([where('outcome', 'is', null), where('outcome', 'in', outcomes)]),
    )
  }
  const moved = await statement.returningAll().executeTakeFirst()
  if (!moved) throw invalidTransition(trigger, request)
  recordRequestChange(tx, moved, trigger)
  return moved
}

export function recordRequestChange(tx: Tx, request: ExecutionRequestRow, operation: string): void {
  recordChange(tx, {
    workspaceId: request.workspace_id,
    projectId: request.project_id,
    missionId: request.mission_id,
    entity: 'execution_request',
    entityId: request.id,
    operation,
    data: {
      status: request.status,
      outcome: request.outcome,
      objectiveId: request.objective_id,
      attempt: request.attempt,
      lastRelease: request.last_release,
    },
  })
}

function invalidTransition(trigger: RequestTrigger, request: ExecutionRequestRow): ServiceError {
  const now = request.outcome === null ? request.status : `${request.status} (${request.outcome})`
  return new ServiceError(
    'invalid_transition',
    `A request that is ${now} cannot ${trigger}.`,
    { status: request.status, outcome: request.outcome },
    { next: { operation: 'getExecutionRequest', params: { id: request.id } } },
  )
}
