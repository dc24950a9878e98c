import type { Delivery } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import type { AgentSessionRow, ArtifactRow, DeliveryRow } from '@svc/db/tables'
import { sql } from 'kysely'
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

/** A page ends with the delivery that passes this. One delivery alone is never cut. */
const pageBytes = 5 * 1024 * 1024

interface Page {
  limit: number
  before?: string | undefined
}

/** Newest first. A delivery from before reports existed reads as the one made from its summary. */
export async function listDeliveryViews(
  db: Queryable,
  mission: MissionRecord,
  page: Page,
): Promise<{ items: Delivery[]; nextCursor: { nextCursor?: string } }> {
  const { rows, hasMore } = await readPage(db, mission, page)
  const last = rows.at(-1)
  if (!last) return { items: [], nextCursor: {} }
  const artifacts = await listArtifactsOf(db, mission, rows)
  return {
    items: rows.map((row) => viewDelivery(row, artifacts.get(row.id) ?? [])),
    nextCursor: hasMore ? { nextCursor: last.id } : {},
  }
}

/** The sizes are asked for in place of the texts, so that what is read is bounded before it is. */
async function readPage(db: Queryable, { workspace_id, id }: MissionRecord, page: Page) {
  const { rows } = await sql<DeliveryRow & { found: number }>`
    with page as materialized (
      select * from deliveries
       where workspace_id = ${workspace_id} and mission_id = ${id}
         and (${page.before ?? null}::uuid is null or id < ${page.before ?? null})
       order by id desc limit ${page.limit + 1}),
    sizes as (
      select a.delivery_id, sum(octet_length(a.content_text)) as bytes
        from artifacts a join page p on p.id = a.delivery_id
       where a.workspace_id = ${workspace_id} and a.mission_id = ${id}
       group by a.delivery_id),
    sized as (
      select p.*, count(*) over () as found,
             sum(octet_length(p.summary) + coalesce(octet_length(p.report::text), 0) + coalesce(s.bytes, 0))
               over (order by p.id desc rows between unbounded preceding and 1 preceding) as bytes_before
        from page p left join sizes s on s.delivery_id = p.id)
    select * from sized
     where bytes_before is null or bytes_before < ${pageBytes} order by id desc`.execute(db)
  const read = rows.slice(0, page.limit)
  return { rows: read, hasMore: (rows[0]?.found ?? 0) > read.length }
}

async function listArtifactsOf(
  db: Queryable,
  { workspace_id, id }: MissionRecord,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string | null, ArtifactRow[]>> {
  const artifacts = await db
    .selectFrom('artifacts')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('mission_id', '=', id)
    .where(
      'delivery_id',
      'in',
      deliveries.map((row) => row.id),
    )
    .orderBy('id')
    .execute()
  return Map.groupBy(artifacts, (artifact) => artifact.delivery_id)
}

function viewDelivery(row: DeliveryRow, artifacts: readonly ArtifactRow[]): Delivery {
  return {
    id: row.id,
    missionId: row.mission_id,
    objectiveId: row.objective_id,
    sessionId: row.session_id,
    summary: row.summary,
    report: row.report ?? composeReport(row.summary, undefined),
    artifacts: artifacts.map(viewArtifact),
    createdAt: row.created_at.toISOString(),
  }
}
