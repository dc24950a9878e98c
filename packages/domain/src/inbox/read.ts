import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { pageOf, readCursor } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'
import { type InboxItemRecord, ownItems, requireItem } from './queries.ts'
import { viewInboxItem } from './views.ts'

export async function getInboxItem(
  { domain }: UseCase,
  actor: Actor,
  { id }: RouteInput<'getInboxItem'>,
): Promise<RouteOutput<'getInboxItem'>> {
  authorize(actor, 'own_inbox:manage')
  return { inboxItem: viewInboxItem(await requireItem(domain.db, actor, id)) }
}

/** Newest first. */
export async function listInboxItems(
  { domain }: UseCase,
  actor: Actor,
  { state, limit, cursor }: RouteInput<'listInboxItems'>,
): Promise<RouteOutput<'listInboxItems'>> {
  authorize(actor, 'own_inbox:manage')
  const before = readCursor(cursor)
  const [{ rows }, openCount] = await Promise.all([
    sql<InboxItemRecord>`
      ${ownItems(actor)}
         and ${states[state]}
         and ${before === undefined ? sql`true` : sql`i.id < ${before}`}
       order by i.id desc limit ${limit + 1}`.execute(domain.db),
    countOpen(domain.db, actor),
  ])
  const { items, nextCursor } = pageOf(rows, limit, (item) => item.id)
  return { inboxItems: items.map(viewInboxItem), openCount, ...nextCursor }
}

/** Over `i`, each the condition of an index that has them in order. */
const states = {
  open: sql`i.done_at is null`,
  turned: sql`i.turned_at is not null`,
  all: sql`true`,
}

async function countOpen(db: Queryable, { workspaceId, userId }: Actor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from inbox_items i
       where i.workspace_id = ${workspaceId} and i.user_id = ${userId} and ${states.open}
       limit ${limits.countedInboxItems}) as open`.execute(db)
  return rows[0]?.count ?? 0
}
