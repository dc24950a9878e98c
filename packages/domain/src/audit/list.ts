import type { AuditEntry } from '@svc/contracts/audit'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { gather } from '@svc/db/gather'
import type { AuditTrailRow, UserTokenRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOfSized, readCursor, withinBytes } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'

/** Of one filter an index has all in order; so many of these are looked through for what passes the others. */
const mostLookedThrough = 5_000

interface Row extends AuditTrailRow {
  actor_name: string | null
  token_label: string | null
  token_kind: UserTokenRow['kind'] | null
  token_preset: UserTokenRow['preset'] | null
}

/** Newest first. A token bound to projects sees entries about those alone. */
export async function listAudit(
  { domain: { db } }: UseCase,
  actor: Actor,
  input: RouteInput<'listAudit'>,
): Promise<RouteOutput<'listAudit'>> {
  authorize(actor, 'audit:read')
  const { lead, others } = conditionsOf(actor, input)
  const isNarrowed = others.length > 0
  const newest = sql`
    select * from audit_trail a where ${every(lead)} order by a.created_at desc, a.id desc`
  const rows = isNarrowed
    ? sql`select * from (${newest} limit ${mostLookedThrough}) a where ${every(others)}
           order by a.created_at desc, a.id desc limit ${input.limit + 1}`
    : sql`${newest} limit ${input.limit + 1}`
  const found = await gather(db, {
    rows: withinBytes<Row>({
      rows: named(rows),
      bytes: sql`octet_length(coalesce(details::text, ''))`,
      order: sql`created_at desc, id desc`,
    }),
    // what was looked through last, where there is more
    last: isNarrowed
      ? sql<{ id: string }>`
          select id from (${newest} offset ${mostLookedThrough - 1} limit 1) a`
      : sql<{ id: string }>`select null::uuid as id where false`,
  })
  const { items, hasMore, nextCursor } = pageOfSized(found.rows, input.limit, ({ id }) => id)
  const [last] = found.last
  return {
    entries: items.map(viewAuditEntry),
    ...(hasMore || !last ? nextCursor : { nextCursor: last.id }),
  }
}

type Condition = RawBuilder<unknown>

/** What an index is asked for, and what its rows are asked then; `a` is the trail. */
function conditionsOf(
  actor: Actor,
  { targetId, actorId, action, since, before, cursor }: RouteInput<'listAudit'>,
): { lead: Condition[]; others: Condition[] } {
  const { workspaceId } = actor
  // the one that has fewest, as a rule, first
  const [first, ...others] = [
    ...(targetId === undefined ? [] : [sql`a.target_id = ${targetId}`]),
    ...(actorId === undefined ? [] : [sql`a.actor_id = ${actorId}`]),
    ...(action === undefined ? [] : [sql`a.action = ${action}`]),
  ]
  const after = readCursor(cursor)
  const lead = [
    sql`a.workspace_id = ${workspaceId}`,
    ...(first ? [first] : []),
    ...(since ? [sql`a.created_at >= ${since}`] : []),
    ...(before ? [sql`a.created_at < ${before}`] : []),
    ...(after ? [sql`(a.created_at, a.id) < ((${momentOf(workspaceId, after)}), ${after})`] : []),
  ]
  const isBound = actor.credential.projectIds !== null
  const visible = whereVisibleTo(actor, { projectId: sql`a.project_id` })
  return { lead, others: [...others, ...(isBound ? [visible] : [])] }
}

/** Once that entry has been pruned, so have all that are older: null, and none follows. */
function momentOf(workspaceId: string, id: string): Condition {
  return sql`
    select c.created_at from audit_trail c where c.workspace_id = ${workspaceId} and c.id = ${id}`
}

function every(conditions: readonly Condition[]): Condition {
  return sql.join([...conditions], sql` and `)
}

/** With the names of whoever did it and of their token, looked up one by one once the page is known. */
function named(rows: Condition): RawBuilder<Row> {
  return sql<Row>`
    select a.*, u.name as actor_name, t.label as token_label, t.kind as token_kind, t.preset as token_preset
      from (${rows}) a
      left join lateral (select name from users where id = a.actor_id offset 0) u on true
      left join lateral (
        select label, kind, preset from user_tokens
         where workspace_id = a.workspace_id and id = a.token_id offset 0) t on true`
}

function viewAuditEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    action: row.action,
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '' },
    by: viewMeans(row),
    tokenPrefix: row.token_prefix,
    from: row.came_from,
    projectId: row.project_id,
    targetId: row.target_id,
    details: row.details,
  }
}

function viewMeans(row: Row): AuditEntry['by'] {
  const { by_kind: kind, token_label: label, execution_request_id: executionRequestId } = row
  if (kind === null) return null
  return { kind: meansOf(kind, row), label, executionRequestId }
}

function meansOf(
  kind: NonNullable<Row['by_kind']>,
  row: Row,
): NonNullable<AuditEntry['by']>['kind'] {
  if (kind === 'sign_in') return 'browser'
  if (kind === 'run') return 'run'
  if (row.token_kind === 'oauth') return 'application'
  return row.token_preset === 'runner' ? 'runner' : 'token'
}
