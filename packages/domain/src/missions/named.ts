import { isUuid } from '@svc/contracts/ids'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { byKey } from '../by-key.ts'
import { notFound } from '../errors.ts'
import { type MissionRecord, recordColumns } from './queries.ts'

/** Many missions as they were called, one look-up for all. The first that is not there refuses. */
export async function requireMissions(
  db: Queryable,
  workspaceId: string,
  refs: readonly string[],
): Promise<Map<string, MissionRecord>> {
  const ids = await idsOf(db, workspaceId, refs)
  const records = await findMissions(db, workspaceId, [...ids.values()])
  return new Map(
    refs.map((ref) => {
      const mission = records.get(ids.get(ref) ?? '')
      if (!mission) throw notFound('mission', ref)
      return [ref, mission]
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

async function idsOf(
  db: Queryable,
  workspaceId: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const byId = refs.filter(isUuid).map((ref) => [ref, ref.toLowerCase()] as const)
  const called = refs.filter((ref) => !isUuid(ref))
  if (called.length === 0) return new Map(byId)
  const { rows } = await sql<{ ref: string; id: string }>`
    select called.ref, found.id
      from unnest(${called}::text[]) as called(ref)
     cross join lateral (
       select m.id from projects p
         join missions m on m.workspace_id = p.workspace_id and m.project_id = p.id
        where p.workspace_id = ${workspaceId} and p.slug = split_part(called.ref, ':', 1)
          and m.sequence = split_part(called.ref, ':', 2)::int
       offset 0) found`.execute(db)
  return new Map([...byId, ...rows.map(({ ref, id }) => [ref, id] as const)])
}
