import { envelopeLimits } from '@svc/contracts/webhook-envelope'
import type { Queryable } from '@svc/db/database'
import type { WebhookEventRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { composeReport } from './compose-report.ts'
import type { EnvelopeDetails } from './envelope.ts'
import type { EventSnapshot } from './event-snapshot.ts'

/** One more than a payload shows means that there are more. */
const some = envelopeLimits.arrayEntries + 1

/** Reads the details of the event's objective, where it has one, else of the whole mission. */
export async function readDetails(
  db: Queryable,
  event: WebhookEventRow,
  { objective, delivery }: EventSnapshot,
): Promise<EnvelopeDetails> {
  const objectiveId = objective?.id ?? null
  return {
    delivery: delivery && (await readDelivery(db, event.workspace_id, delivery.id)),
    changedFiles: await readFiles(db, event, objectiveId),
    changeRationales: await readRationales(db, event, objectiveId),
    missionEvents: await readEvents(db, event),
  }
}

async function readDelivery(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<EnvelopeDetails['delivery']> {
  const { summary, report, checks } = await db
    .selectFrom('deliveries')
    .select(['summary', 'report', 'checks'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const artifacts = await db
    .selectFrom('artifacts')
    .select(['type', 'label', 'content_text', 'external_url'])
    .where('workspace_id', '=', workspaceId)
    .where('delivery_id', '=', id)
    .orderBy('id')
    .limit(some)
    .execute()
  return {
    id,
    summary,
    report: report ?? composeReport(summary, undefined),
    artifacts: artifacts.map(({ type, label, content_text, external_url }) => ({
      type,
      label,
      content: content_text ?? external_url ?? '',
    })),
    checks,
  }
}

async function readFiles(db: Queryable, event: WebhookEventRow, objectiveId: string | null) {
  const { rows } = await sql<EnvelopeDetails['changedFiles'][number]>`
    select distinct on (file_path) file_path as "filePath", vcs_status as "vcsStatus"
      from changed_files
     where workspace_id = ${event.workspace_id} and mission_id = ${event.mission_id}
       and (${objectiveId}::uuid is null or objective_id = ${objectiveId})
     order by file_path, observed_at desc limit ${some}`.execute(db)
  return rows
}

async function readRationales(db: Queryable, event: WebhookEventRow, objectiveId: string | null) {
  const { rows } = await sql<EnvelopeDetails['changeRationales'][number]>`
    select distinct on (file_path) file_path as "filePath", label, summary, why, impact
      from change_rationales
     where workspace_id = ${event.workspace_id} and mission_id = ${event.mission_id}
       and (${objectiveId}::uuid is null or objective_id = ${objectiveId})
     order by file_path, created_at desc limit ${some}`.execute(db)
  return rows
}

/** Up to this event, the newest first. */
async function readEvents(db: Queryable, event: WebhookEventRow) {
  const rows = await db
    .selectFrom('mission_events')
    .select(['id', 'type', 'summary', 'created_at'])
    .where('workspace_id', '=', event.workspace_id)
    .where('mission_id', '=', event.mission_id)
    // in the database, whose times are finer than those read here
    .where('created_at', '<=', (build) =>
      build
        .selectFrom('webhook_events as w')
        .select('w.occurred_at')
        .where('w.workspace_id', '=', event.workspace_id)
        .where('w.id', '=', event.id),
    )
    .orderBy('id', 'desc')
    .limit(some)
    .execute()
  return rows.map(({ created_at, ...rest }) => ({ ...rest, createdAt: created_at.toISOString() }))
}
