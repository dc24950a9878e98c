import type { Delivery } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow, DeliveryRow } from '@svc/db/tables'
import { viewArtifact } from '../artifacts/views.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { composeReport } from './report.ts'

export function findDeliveryOf(
  db: Queryable,
  session: AgentSessionRow,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('workspace_id', '=', session.workspace_id)
    .where('session_id', '=', session.id)
    .executeTakeFirst()
}

/** Newest first. A delivery from before reports existed reads as the one made from its summary. */
export async function listDeliveryViews(
  db: Queryable,
  mission: MissionRecord,
  page: { limit: number; before?: string | undefined },
): Promise<Delivery[]> {
  let query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  const rows = await query.execute()
  if (rows.length === 0) return []
  const artifacts = await db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where(
      'delivery_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    missionId: row.mission_id,
    objectiveId: row.objective_id,
    sessionId: row.session_id,
    summary: row.summary,
    report: row.report ?? composeReport(row.summary, undefined),
    artifacts: artifacts.filter((one) => one.delivery_id === row.id).map(viewArtifact),
    createdAt: row.created_at.toISOString(),
  }))
}
