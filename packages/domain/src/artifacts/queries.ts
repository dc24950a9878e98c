import type { Queryable } from '@svc/db/database'
import type { ArtifactRow } from '@svc/db/tables'
import type { MissionRecord } from '../missions/queries.ts'

/** Newest first. */
export function listArtifactRows(
  db: Queryable,
  mission: MissionRecord,
  page: { limit: number; before?: string | undefined },
): Promise<ArtifactRow[]> {
  let query = db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return query.execute()
}
