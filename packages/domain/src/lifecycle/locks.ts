import type { AgentSessionRow, ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { byKey } from '../common/by-key.ts'
import { notFound } from '../common/errors.ts'
import { type Linked, selectLinked } from '../entities/execution-requests/views.ts'
import { type MissionRecord, findMission, whereMission } from '../entities/missions/queries.ts'
import { findMissions } from '../entities/missions/named.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** What is locked is read after the lock. */
export async function lockMission(
  tx: UnitOfWork,
  workspaceId: string,
  ref: string,
): Promise<MissionRecord> {
  tx.locks.take('mission')
  // NO KEY UPDATE: whoever writes a row that refers to this mission takes KEY SHARE on it and must not wait for us.
  // Alone: a wait reads only the locked row anew, so a join to a status that changed meanwhile would find nothing.
  const locked = await sql<{ id: string; now: Date }>`
    select m.id, app.now() as now from missions m
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where ${whereMission(workspaceId, ref)} for no key update of m`.execute(tx)
  const [found] = locked.rows
  const mission = found && (await findMission(tx, workspaceId, found.id))
  if (!mission) throw notFound('mission', ref)
  tx.locks.keep({ now: found.now })
  return mission
}

/** Many by their ids, in the order of these: two calls that name the same never wait for each other in a circle. */
export async function lockMissions(
  tx: UnitOfWork,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, MissionRecord>> {
  tx.locks.take('mission')
  const locked = await lockByIds(tx, 'missions', workspaceId, ids)
  if (locked[0]) tx.locks.keep(locked[0])
  return findMissions(tx, workspaceId, ids)
}

/** As above. Their missions are locked already. */
export async function lockObjectives(
  tx: UnitOfWork,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, ObjectiveRow>> {
  tx.locks.take('objective')
  await lockByIds(tx, 'objectives', workspaceId, ids)
  const { rows } = await sql<ObjectiveRow>`
    select * from objectives
     where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null
    `.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

async function lockByIds(
  tx: Tx,
  table: 'missions' | 'objectives',
  workspaceId: string,
  ids: readonly string[],
): Promise<{ now: Date }[]> {
  const keys = ids.map((id) => ({ workspace_id: workspaceId, id }))
  const lock = sql`for no key update of t`
  const locked = byKey(table, keys, { where: sql`t.deleted_at is null`, lock })
  return (await sql<{ now: Date }>`select app.now() as now from ${locked} x`.execute(tx)).rows
}

/** The mission is locked already. */
export async function lockObjectiveOf(
  tx: UnitOfWork,
  mission: MissionRecord,
  id: string,
): Promise<ObjectiveRow | undefined> {
  tx.locks.take('objective')
  const locked = await sql<ObjectiveRow>`
    select * from objectives
     where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id} and id = ${id}
       and deleted_at is null
       for no key update`.execute(tx)
  return locked.rows[0]
}

/** Locked alone where nothing else moves. */
export function lockRequest(
  tx: UnitOfWork,
  workspaceId: string,
  id: string,
): Promise<ExecutionRequestRow> {
  return lockRequestWith(tx, { workspaceId, id })
}

async function lockRequestWith<More>(
  tx: UnitOfWork,
  { workspaceId, id }: { workspaceId: string; id: string },
  ...more: RawBuilder<unknown>[]
): Promise<ExecutionRequestRow & More> {
  tx.locks.take('request')
  const columns = sql.join([sql`e.*`, sql`app.now() as now`, ...more])
  // NO KEY UPDATE: a log chunk that refers to this request takes KEY SHARE on it and must not wait for us
  const { rows } = await sql<ExecutionRequestRow & More & { now: Date }>`
    select ${columns} from execution_requests e
     where e.workspace_id = ${workspaceId} and e.id = ${id} for no key update of e`.execute(tx)
  const [row] = rows
  if (!row) throw notFound('execution request', id)
  tx.locks.keep({ now: row.now })
  return row
}

/** Locked alone, with what a view shows of other rows. */
export async function lockRequestAlone(
  tx: UnitOfWork,
  workspaceId: string,
  id: string,
): Promise<{ request: ExecutionRequestRow; linked: Linked | undefined }> {
  const linked = sql`
    (select to_jsonb(l) from (${selectLinked(workspaceId, id)}) l) as linked`
  const { linked: found, ...request } = await lockRequestWith<{ linked: Linked | null }>(
    tx,
    { workspaceId, id },
    linked,
  )
  return { request, linked: found ?? undefined }
}

export async function lockSession(
  tx: UnitOfWork,
  session: AgentSessionRow,
): Promise<AgentSessionRow> {
  tx.locks.take('session')
  const { rows } = await sql<AgentSessionRow>`
    select * from agent_sessions where workspace_id = ${session.workspace_id} and id = ${session.id}
       for no key update`.execute(tx)
  return rows[0] ?? session
}
