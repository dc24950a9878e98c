import type { DeliveryExcerpt } from '@svc/contracts/context'
import type { Delivery, DeliveryReport } from '@svc/contracts/delivery'
import type { Queryable } from '@svc/db/database'
import { rowOfJson } from '@svc/db/gather'
import type { AgentSessionRow, ArtifactRow, DeliveryRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { viewArtifact } from '../artifacts/views.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { type Page, type Sized, pageOfSized, withinBytes } from '../../common/page.ts'
import { composeReport } from '../../events/compose-report.ts'

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

/** The newest of the mission. */
export function findNewestDelivery(
  db: Queryable,
  mission: Pick<MissionRecord, 'workspace_id' | 'id'>,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

interface Found extends DeliveryRow {
  /** As JSON. */
  artifacts: object[]
  /** The run that delivered. */
  execution_request_id: string | null
  /** The warnings of the run that delivered. */
  run_warnings: string[] | null
}

// one within the other: joined, the planner of a young database may begin with all runs of the workspace
const runRequest = sql`
  select s.execution_request_id from agent_sessions s
   where s.workspace_id = page.workspace_id and s.id = page.session_id`
const runWarnings = sql`
  select r.exit->'warnings' from execution_requests r
   where r.workspace_id = page.workspace_id and r.id = (${runRequest})`

/** Newest first. */
export async function listDeliveryViews(
  db: Queryable,
  mission: MissionRecord,
  page: Page,
): Promise<{ items: Delivery[]; nextCursor: { nextCursor?: string } }> {
  const { rows } = await selectDeliveries(mission, page).execute(db)
  const { items, nextCursor } = pageOfSized(rows, page.limit, (row) => row.id)
  return { items: items.map(viewDelivery), nextCursor }
}

/** Newest first, and one more than the page holds. */
export function selectDeliveries(
  { workspace_id, id }: MissionRecord,
  { limit, before, most }: Page,
): RawBuilder<Sized<Found>> {
  const rows = sql<DeliveryRow>`
    select * from deliveries
     where workspace_id = ${workspace_id} and mission_id = ${id}
       ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit + 1}`
  const artifacts = sql`artifacts a where a.workspace_id = page.workspace_id and a.delivery_id = page.id`
  const bytes = sql`octet_length(summary) + coalesce(octet_length(report::text), 0)
    + coalesce(octet_length(checks::text), 0)
    + (select coalesce(sum(octet_length(a.content_text)), 0) from ${artifacts})`
  const sized = withinBytes({ rows, bytes, most })
  return sql`
    select page.*, (${runRequest}) as execution_request_id, (${runWarnings}) as run_warnings,
           (select coalesce(json_agg(a order by a.id), '[]') from ${artifacts}) as artifacts
      from (${sized}) as page order by id desc limit ${limit}`
}

interface ExcerptRow extends Pick<DeliveryRow, 'id' | 'objective_id' | 'created_at'> {
  presentation: DeliveryReport['presentation'] | null
  /** Where there is no presentation. */
  summary: string | null
  run_warnings: string[] | null
}

/** As `selectDeliveries`, without what repeats the presentation and what the mission's artifacts are. */
export function selectDeliveryExcerpts(
  { workspace_id, id }: MissionRecord,
  { limit, most }: Pick<Page, 'limit' | 'most'>,
): RawBuilder<Sized<ExcerptRow>> {
  const rows = sql<ExcerptRow>`
    select workspace_id, id, objective_id, session_id, created_at, report->'presentation' as presentation,
           case when report is null then summary end as summary
      from deliveries where workspace_id = ${workspace_id} and mission_id = ${id}
     order by id desc limit ${limit + 1}`
  const bytes = sql`coalesce(octet_length(presentation::text), octet_length(summary))`
  return sql`
    select page.*, (${runWarnings}) as run_warnings
      from (${withinBytes({ rows, bytes, most })}) as page order by id desc limit ${limit}`
}

/** A delivery from before reports existed reads as the one made from its summary. */
export function viewDelivery(row: Found): Delivery {
  return {
    id: row.id,
    missionId: row.mission_id,
    objectiveId: row.objective_id,
    sessionId: row.session_id,
    executionRequestId: row.execution_request_id,
    summary: row.summary,
    report: row.report ?? composeReport(row.summary, undefined),
    artifacts: row.artifacts.map((one) => viewArtifact(rowOfJson<ArtifactRow>(one))),
    checks: row.checks,
    warnings: row.run_warnings ?? [],
    createdAt: row.created_at.toISOString(),
  }
}

export function viewDeliveryExcerpt(row: ExcerptRow): DeliveryExcerpt {
  const presentation = row.presentation ?? composeReport(row.summary ?? '').presentation
  return {
    id: row.id,
    objectiveId: row.objective_id,
    report: { presentation },
    warnings: row.run_warnings ?? [],
    createdAt: row.created_at.toISOString(),
  }
}
