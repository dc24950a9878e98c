import type { Queryable } from '@svc/db/database'
import type { ArtifactRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../common/errors.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { type Page, type Sized, withinBytes } from '../../common/page.ts'

/** Newest first, and one more than the page holds. */
export function selectArtifacts(
  db: Queryable,
  mission: MissionRecord,
  { limit, before, most }: Page,
): RawBuilder<Sized<ArtifactRow>> {
  const query = db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  const rows = before === undefined ? query : query.where('id', '<', before)
  return withinBytes({ rows, bytes: sql`coalesce(octet_length(content_text), 0)`, most })
}

export async function requireArtifact(
  db: Queryable,
  mission: MissionRecord,
  id: string,
): Promise<ArtifactRow> {
  const found = await db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('artifact', id)
  return found
}
