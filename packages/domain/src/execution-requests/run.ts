import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { notFound } from '../errors.ts'
import { type MissionRecord, lockMission } from '../missions/queries.ts'
import { lockObjectiveOf } from '../objectives/queries.ts'
import { findSessionOf, lockRequest, requireRequest } from './queries.ts'

/** A request with all that its end may move, locked in the lock order and read after the locks. */
export interface Run {
  mission: MissionRecord
  objective: ObjectiveRow
  request: ExecutionRequestRow
  session: AgentSessionRow | undefined
}

export async function lockRun(tx: Tx, workspaceId: string, requestId: string): Promise<Run> {
  const found = await requireRequest(tx, workspaceId, requestId)
  const mission = await lockMission(tx, workspaceId, found.mission_id)
  const objective = await lockObjectiveOf(tx, mission, found.objective_id)
  if (!objective) throw notFound('execution request', requestId)
  const request = await lockRequest(tx, workspaceId, requestId)
  return { mission, objective, request, session: await findSessionOf(tx, request) }
}
