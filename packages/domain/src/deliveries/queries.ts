import type { Delivery } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import { gather } from '@svc/db/gather'
import type { AgentSessionRow, ArtifactRow, DeliveryRow } from '@svc/db/tables'
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

interface Page {
  limit: number
  before?: string | undefined
}

/** Newest first. */
export async function listDeliveryViews(
  db: Queryable,
  mission: MissionRecord,
  page: Page,
): Promise<Delivery[]> {
  const found = await gather(db, selectDeliveries(db, mission, page))
  return viewDeliveries(found)
}

/** Of one page: the deliveries, newest first, and their artifacts. */
export function selectDeliveries(db: Queryable, mission: MissionRecord, { limit, before }: Page) {
  const all = db
    .selectFrom('deliveries')
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(limit)
  const page = before ? all.where('id', '<', before) : all
  const deliveryArtifacts = db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('delivery_id', 'in', page.select('id'))
    .orderBy('id')
  return { deliveries: page.selectAll(), deliveryArtifacts }
}

/** A delivery from before reports existed reads as the one made from its summary. */
export function viewDeliveries(found: {
  deliveries: readonly DeliveryRow[]
  deliveryArtifacts: readonly ArtifactRow[]
}): Delivery[] {
  const artifacts = Map.groupBy(found.deliveryArtifacts, (one) => one.delivery_id)
  return found.deliveries.map((row) => ({
    id: row.id,
    missionId: row.mission_id,
    objectiveId: row.objective_id,
    sessionId: row.session_id,
    summary: row.summary,
    report: row.report ?? composeReport(row.summary, undefined),
    artifacts: (artifacts.get(row.id) ?? []).map(viewArtifact),
    createdAt: row.created_at.toISOString(),
  }))
}
