import type { Queryable } from '@svc/db/database'
import type { MissionRecord } from '../missions/queries.ts'

/** Newest first. */
export function selectArtifacts(
  db: Queryable,
  mission: MissionRecord,
  page: { limit: number; before?: string | undefined },
) {
  const query = db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(page.limit)
  return page.before ? query.where('id', '<', page.before) : query
}
