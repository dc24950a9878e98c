import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import type { AccessScope } from '../../access/authorize.ts'
import { notFound } from '../../common/errors.ts'
import { where } from '../../states/states.ts'
import type { Ref } from '../../common/ids.ts'

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

/** A run, its output and its changes are of its objective. */
export function scopeOfRequest(request: ExecutionRequestRow, ref: string): AccessScope {
  return {
    projectId: request.project_id,
    missionId: request.mission_id,
    objectiveId: request.objective_id,
    missing: () => notFound('execution request', ref),
  }
}

/** The one request of the objective that still leads to a run, or is one. An index keeps it one. */
export function findLiveRequest(
  db: Queryable,
  objective: Pick<ObjectiveRow, 'workspace_id' | 'id'>,
): Promise<ExecutionRequestRow | undefined> {
  return selectLiveRequest(db, objective).executeTakeFirst()
}

export function selectLiveRequest(db: Queryable, objective: Ref) {
  return ofObjective(db, objective).where(where.live())
}

function ofObjective(db: Queryable, objective: Ref) {
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
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
