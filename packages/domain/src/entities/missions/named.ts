import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { byKey } from '../../common/by-key.ts'
import { idsOfCalled } from '../../common/called.ts'
import { type MissionRecord, recordColumns } from './queries.ts'

/** Many missions as they were called, one look-up for all; what is not there is left out. */
export async function findCalledMissions(
  db: Queryable,
  workspaceId: string,
  refs: readonly string[],
): Promise<Map<string, MissionRecord>> {
  const ids = await idsOfCalled(db, refs, selectCalled(workspaceId))
  const records = await findMissions(db, workspaceId, [...ids.values()])
  return new Map(
    refs.flatMap((ref) => {
      const mission = records.get(ids.get(ref) ?? '')
      return mission ? [[ref, mission]] : []
    }),
  )
}

/** Those that are there, by their ids. */
export async function findMissions(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, MissionRecord>> {
  const keys = ids.map((id) => ({ workspace_id: workspaceId, id }))
  const { rows } = await sql<MissionRecord>`
    select ${recordColumns}
      from ${byKey('missions', keys, { where: sql`t.deleted_at is null` })} m
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
      join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id`.execute(db)
  return new Map(rows.map((mission) => [mission.id, mission]))
}

function selectCalled(workspaceId: string) {
  return sql`
    select m.id from projects p
      join missions m on m.workspace_id = p.workspace_id and m.project_id = p.id
     where p.workspace_id = ${workspaceId} and p.slug = split_part(called.ref, ':', 1)
       and m.sequence = split_part(called.ref, ':', 2)::int`
}
