import type { Tx } from '@svc/db/database'
import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '@svc/contracts/ids'
import { type Gathered, type Queries, gather } from '@svc/db/gather'
import { notFound } from '../errors.ts'
import {
  type MissionRecord,
  findMission,
  selectMission,
  whereMission,
} from '../missions/queries.ts'
import { type ObjectiveInMission, selectObjectiveId } from '../objectives/queries.ts'

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
  const named = sql`
    select mission_id, id as objective_id, null::uuid as request_id, null::uuid as session_id
      from (${selectObjectiveId(tx, workspaceId, ref)}) as o`
  const run = await lockNamed(tx, workspaceId, named)
  if (!run?.objective) throw notFound('objective', ref)
  if (missionRef !== undefined) {
    const beside = await findMission(tx, workspaceId, missionRef)
    if (beside?.id !== run.mission.id) throw notFound('objective', ref)
  }
  return { mission: run.mission, objective: run.objective }
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

export async function lockRun(
  tx: Tx,
  workspaceId: string,
  requestId: string,
): Promise<Run & Pick<Locked, 'newest'>> {
  const run = isUuid(requestId)
    ? await lockNamed(tx, workspaceId, ofRequest(workspaceId, requestId))
    : undefined
  if (!run?.objective || !run.request) throw notFound('execution request', requestId)
  const { mission, objective, request, session, newest } = run
  return { mission, objective, request, session, newest }
}

function ofRequest(workspaceId: string, id: string) {
  return sql`
    select mission_id, objective_id, id as request_id, null::uuid as session_id
      from execution_requests where workspace_id = ${workspaceId} and id = ${id}`
}

interface Known<Q extends Queries> {
  workspaceId: string
  missionId: string
  objectiveId: string
  requestId?: string | null
  sessionId?: string
  /** Read with the rest, under the locks. */
  beside: Q
}

/** What is known of a run by its ids; undefined where mission or objective are not there. */
export async function lockKnown<Q extends Queries>(
  tx: Tx,
  known: Known<Q>,
): Promise<(Locked & { objective: ObjectiveRow; beside: Gathered<Q> }) | undefined> {
  const { workspaceId, missionId, objectiveId, requestId = null, sessionId = null } = known
  const named = sql`
    select ${missionId}::uuid as mission_id, ${objectiveId}::uuid as objective_id,
           ${requestId}::uuid as request_id, ${sessionId}::uuid as session_id`
  const run = await lockNamed(tx, workspaceId, named, known.beside)
  return run?.objective && { ...run, objective: run.objective }
}

interface Locked {
  mission: MissionRecord
  objective: ObjectiveRow | undefined
  request: ExecutionRequestRow | undefined
  /** The one that is named, else that of the request's present generation. */
  session: AgentSessionRow | undefined
  /** The objective's newest request, which makes those before it stale. */
  newest: ExecutionRequestRow | undefined
}

/**
 * All that is named, locked by one statement in the lock order (each part asks for the one before it) and read by
 * another: a statement sees what was there when it began, which may be before it got its locks.
 */
async function lockNamed<Q extends Queries = {}>(
  tx: Tx,
  workspaceId: string,
  named: RawBuilder<unknown>,
  // without one there is nothing beside
  beside: Q = {} as Q,
): Promise<(Locked & { beside: Gathered<Q> }) | undefined> {
  takeInOrder(tx, 'mission')
  const locked = await sql<Record<(typeof order)[number], string | null>>`
    with named as materialized (${named}),
    m as materialized (
      select x.id from missions x
       where x.workspace_id = ${workspaceId} and x.id = (select mission_id from named)
         and x.deleted_at is null for no key update of x),
    o as materialized (
      select x.id from objectives x
       where x.workspace_id = ${workspaceId} and x.id = (select objective_id from named)
         and x.mission_id = (select id from m) and x.deleted_at is null for no key update of x),
    r as materialized (
      select x.id from execution_requests x
       where x.workspace_id = ${workspaceId} and x.id = (select request_id from named)
         and x.objective_id = (select id from o) for no key update of x),
    s as materialized (
      select x.id from agent_sessions x
       where x.workspace_id = ${workspaceId} and x.id = (select session_id from named)
         and x.objective_id = (select id from o) and (select count(*) from r) >= 0
         for no key update of x)
    select (select id from m) as mission, (select id from o) as objective,
           (select id from r) as request, (select id from s) as session`.execute(tx)
  const ids = locked.rows[0]
  if (!ids?.mission) return undefined
  for (const kind of order) if (ids[kind] !== null) takeInOrder(tx, kind)
  const own = {
    missions: selectMission(workspaceId, ids.mission),
    objectives: sql<ObjectiveRow>`
      select * from objectives where workspace_id = ${workspaceId} and id = ${ids.objective}`,
    requests: sql<ExecutionRequestRow>`
      select * from execution_requests where workspace_id = ${workspaceId} and id = ${ids.request}`,
    newest: sql<ExecutionRequestRow>`
      select * from execution_requests
       where workspace_id = ${workspaceId} and objective_id = ${ids.objective}
       order by seq desc limit 1`,
    sessions:
      ids.session === null
        ? selectSessionOf(workspaceId, ids.request)
        : sql<AgentSessionRow>`
      select * from agent_sessions where workspace_id = ${workspaceId} and id = ${ids.session}`,
  }
  // the names are those of these two, and one statement reads them all
  const found = (await gather(tx, { ...beside, ...own })) as unknown as Gathered<typeof own> &
    Gathered<Q>
  const [mission] = found.missions
  if (!mission) return undefined
  return {
    mission,
    objective: found.objectives[0],
    request: found.requests[0],
    session: found.sessions[0],
    newest: found.newest[0],
    beside: found,
  }
}

function selectSessionOf(workspaceId: string, requestId: string | null) {
  return sql<AgentSessionRow>`
    select s.* from agent_sessions s
      join execution_requests r on r.workspace_id = s.workspace_id and r.id = s.execution_request_id
                               and r.generation = s.generation
     where r.workspace_id = ${workspaceId} and r.id = ${requestId}
     order by s.seq desc limit 1`
}
