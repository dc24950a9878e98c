import type { Queryable } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { byKey } from '../../common/by-key.ts'
import { idsOfCalled } from '../../common/called.ts'
import { findMissions } from '../missions/named.ts'
import type { ObjectiveInMission } from './queries.ts'

/** Many objectives as they were called, one look-up for all; what is not there is left out. */
export async function findCalledObjectives(
  db: Queryable,
  workspaceId: string,
  refs: readonly string[],
): Promise<Map<string, ObjectiveInMission>> {
  const ids = await idsOfCalled(db, refs, selectCalled(workspaceId))
  const keys = [...ids.values()].map((id) => ({ workspace_id: workspaceId, id }))
  const { rows } = await sql<ObjectiveRow>`
    select * from ${byKey('objectives', keys, { where: sql`t.deleted_at is null` })} o`.execute(db)
  const objectives = new Map(rows.map((objective) => [objective.id, objective]))
  const missions = await findMissions(
    db,
    workspaceId,
    rows.map((row) => row.mission_id),
  )
  return new Map(
    refs.flatMap((ref) => {
      const objective = objectives.get(ids.get(ref) ?? '')
      const mission = missions.get(objective?.mission_id ?? '')
      return objective && mission ? [[ref, { mission, objective }]] : []
    }),
  )
}

function selectCalled(workspaceId: string) {
  return sql`
    select o.id from projects p
      join missions m on m.workspace_id = p.workspace_id and m.project_id = p.id
      join objectives o on o.workspace_id = m.workspace_id and o.mission_id = m.id
     where p.workspace_id = ${workspaceId} and p.slug = split_part(called.ref, ':', 1)
       and m.sequence = split_part(split_part(called.ref, ':', 2), '.', 1)::int
       and o.key = split_part(called.ref, '.', 2)`
}
