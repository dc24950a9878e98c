import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import { findSessionOf, requireRequest } from '../execution-requests/queries.ts'
import { type MissionRecord, findMission, whereMission } from '../missions/queries.ts'
import { type ObjectiveInMission, findObjectiveId } from '../objectives/queries.ts'

/** Whoever locks several takes them in this order, before the first write: two that do so never wait in a circle. */
const order = ['mission', 'objective', 'request', 'session'] as const
const lastTaken = new WeakMap<object, number>()

function takeInOrder(tx: Tx, kind: (typeof order)[number]): void {
  const rank = order.indexOf(kind)
  const before = lastTaken.get(tx) ?? 0
  if (rank < before) {
    throw new Error(
      `a ${kind} was locked after a ${order[before]}; the order is ${order.join(', ')}`,
    )
  }
  lastTaken.set(tx, rank)
}

/** What is locked is read after the lock. */
export async function lockMission(
  tx: Tx,
  workspaceId: string,
  ref: string,
): Promise<MissionRecord> {
  takeInOrder(tx, 'mission')
  // NO KEY UPDATE: whoever writes a row that refers to this mission takes KEY SHARE on it and must not wait for us.
  // Alone: a wait reads only the locked row anew, so a join to a status that changed meanwhile would find nothing.
  const locked = await sql<{ id: string }>`
    select m.id from missions m
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where ${whereMission(workspaceId, ref)} for no key update of m`.execute(tx)
  const id = locked.rows[0]?.id
  const mission = id && (await findMission(tx, workspaceId, id))
  if (!mission) throw notFound('mission', ref)
  return mission
}

/**
 * A mission that is named beside the objective must be its own.
 */
export async function lockMissionAndObjective(
  tx: Tx,
  workspaceId: string,
  ref: string,
  missionRef?: string,
): Promise<ObjectiveInMission> {
  const found = await findObjectiveId(tx, workspaceId, ref)
  if (!found) throw notFound('objective', ref)
  const named =
    missionRef === undefined ? undefined : await findMission(tx, workspaceId, missionRef)
  if (missionRef !== undefined && named?.id !== found.mission_id) throw notFound('objective', ref)
  const mission = await lockMission(tx, workspaceId, found.mission_id)
  const objective = await lockObjectiveOf(tx, mission, found.id)
  if (!objective) throw notFound('objective', ref)
  return { mission, objective }
}

/** The mission is locked already. */
export async function lockObjectiveOf(
  tx: Tx,
  mission: MissionRecord,
  id: string,
): Promise<ObjectiveRow | undefined> {
  takeInOrder(tx, 'objective')
  const locked = await sql<ObjectiveRow>`
    select * from objectives
     where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id} and id = ${id}
       and deleted_at is null
       for no key update`.execute(tx)
  return locked.rows[0]
}

/** Locked alone where nothing else moves. */
export async function lockRequest(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<ExecutionRequestRow> {
  takeInOrder(tx, 'request')
  // NO KEY UPDATE: a log chunk that refers to this request takes KEY SHARE on it and must not wait for us
  const { rows } = await sql<ExecutionRequestRow>`
    select * from execution_requests where workspace_id = ${workspaceId} and id = ${id}
       for no key update`.execute(tx)
  if (!rows[0]) throw notFound('execution request', id)
  return rows[0]
}

export async function lockSession(tx: Tx, session: AgentSessionRow): Promise<AgentSessionRow> {
  takeInOrder(tx, 'session')
  const { rows } = await sql<AgentSessionRow>`
    select * from agent_sessions where workspace_id = ${session.workspace_id} and id = ${session.id}
       for no key update`.execute(tx)
  return rows[0] ?? session
}

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
