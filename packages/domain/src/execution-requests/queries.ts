import { isUuid } from '@svc/contracts/ids'
import type { Queryable, Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { notFound } from '../errors.ts'

export async function requireRequest(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ExecutionRequestRow> {
  const found = isUuid(id)
    ? await db
        .selectFrom('execution_requests')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!found) throw notFound('execution request', id)
  return found
}

/** Third in the lock order; alone where nothing else moves. */
export async function lockRequest(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<ExecutionRequestRow> {
  // NO KEY UPDATE: a log chunk that refers to this request takes KEY SHARE on it and must not wait for us
  const { rows } = await sql<ExecutionRequestRow>`
    select * from execution_requests where workspace_id = ${workspaceId} and id = ${id}
       for no key update`.execute(tx)
  if (!rows[0]) throw notFound('execution request', id)
  return rows[0]
}

export const isLive = sql<boolean>`(status in ('queued', 'claimed', 'launching')
  or (status = 'launched' and outcome in ('running', 'parked')))`

/** A runner has it, and has not reported its end. */
export function isHeld(request: ExecutionRequestRow): boolean {
  return ['claimed', 'launching', 'launched'].includes(request.status) && request.ended_at === null
}

/** The one request of the objective that still leads to a run, or is one. An index keeps it one. */
export function findLiveRequest(
  db: Queryable,
  objective: Pick<ObjectiveRow, 'workspace_id' | 'id'>,
): Promise<ExecutionRequestRow | undefined> {
  return ofObjective(db, objective).where(isLive).executeTakeFirst()
}

/** The objective's newest request, live or over. */
export function findNewestRequest(
  db: Queryable,
  objective: Pick<ObjectiveRow, 'workspace_id' | 'id'>,
): Promise<ExecutionRequestRow | undefined> {
  return ofObjective(db, objective).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

function ofObjective(db: Queryable, objective: Pick<ObjectiveRow, 'workspace_id' | 'id'>) {
  return db
    .selectFrom('execution_requests')
    .selectAll()
    .where('workspace_id', '=', objective.workspace_id)
    .where('objective_id', '=', objective.id)
}

/** The session that this generation of the request is linked to. */
export function findSessionOf(
  db: Queryable,
  request: ExecutionRequestRow,
): Promise<AgentSessionRow | undefined> {
  return db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('workspace_id', '=', request.workspace_id)
    .where('execution_request_id', '=', request.id)
    .where('generation', '=', request.generation)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
