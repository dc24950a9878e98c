import type { Delivery } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import { rowOfJson } from '@svc/db/gather'
import type { AgentSessionRow, ArtifactRow, DeliveryRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
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

interface Found extends DeliveryRow {
  /** As JSON. */
  artifacts: object[]
  /** Deliveries that the page would hold, and one more, were it not for their size. */
  found: number
}

/** Newest first. */
export async function listDeliveryViews(
  db: Queryable,
  mission: MissionRecord,
  page: Page,
): Promise<{ items: Delivery[]; nextCursor: { nextCursor?: string } }> {
  const { rows } = await selectDeliveries(mission, page).execute(db)
  const { items, hasMore } = viewDeliveries(rows, page)
  const last = items.at(-1)
  return { items, nextCursor: hasMore && last ? { nextCursor: last.id } : {} }
}

/** The sizes are asked for before the texts, so that what is read is bounded before it is. */
export function selectDeliveries(
  { workspace_id, id }: MissionRecord,
  { limit, before }: Page,
): RawBuilder<Found> {
  return sql<Found>`
    with page as materialized (
      select * from deliveries
       where workspace_id = ${workspace_id} and mission_id = ${id}
         ${before === undefined ? sql`` : sql`and id < ${before}`}
       order by id desc limit ${limit + 1}),
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
    select d.*, (select coalesce(json_agg(a order by a.id), '[]') from artifacts a
                  where a.workspace_id = d.workspace_id and a.delivery_id = d.id) as artifacts
      from sized d
     where d.bytes_before is null or d.bytes_before < ${pageBytes}
     order by d.id desc limit ${limit}`
}

export function viewDeliveries(
  rows: readonly Found[],
  { limit }: Page,
): { items: Delivery[]; hasMore: boolean } {
  const items = rows.slice(0, limit).map(viewDelivery)
  return { items, hasMore: (rows[0]?.found ?? 0) > items.length }
}

/** A delivery from before reports existed reads as the one made from its summary. */
function viewDelivery(row: Found): Delivery {
  return {
    id: row.id,
    missionId: row.mission_id,
    objectiveId: row.objective_id,
    sessionId: row.session_id,
    summary: row.summary,
    report: row.report ?? composeReport(row.summary, undefined),
    artifacts: row.artifacts.map((one) => viewArtifact(rowOfJson<ArtifactRow>(one))),
    createdAt: row.created_at.toISOString(),
  }
}
