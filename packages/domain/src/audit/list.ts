import type { AuditEntry } from '@svc/contracts/audit'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { AuditTrailRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor, withinBytes } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'

type Row = AuditTrailRow & { actor_name: string | null }

/** Newest first. A token bound to projects sees entries about those alone. */
export async function listAudit(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'listAudit'>,
): Promise<RouteOutput<'listAudit'>> {
  authorize(actor, 'audit:read')
  const before = readCursor(input.cursor)
  let rows = domain.db
    .selectFrom('audit_trail as a')
    .leftJoin('users as u', 'u.id', 'a.actor_id')
    .selectAll('a')
    .select('u.name as actor_name')
    .where('a.workspace_id', '=', actor.workspaceId)
    .where(whereVisibleTo(actor, { projectId: sql`a.project_id` }))
    .orderBy('a.id', 'desc')
    .limit(input.limit + 1)
  if (before) rows = rows.where('a.id', '<', before)
  if (input.action) rows = rows.where('a.action', '=', input.action)
  const found = await withinBytes<Row>({
    rows,
    bytes: sql`octet_length(coalesce(details::text, ''))`,
  }).execute(domain.db)
  const { items, nextCursor } = pageOfSized(found.rows, input.limit, ({ id }) => id)
  return { entries: items.map(viewAuditEntry), ...nextCursor }
}

function viewAuditEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    action: row.action,
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '' },
    tokenPrefix: row.token_prefix,
    from: row.came_from,
    projectId: row.project_id,
    targetId: row.target_id,
    details: row.details,
  }
}
