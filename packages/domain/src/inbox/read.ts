import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
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
  const { rows } = await sql<InboxItemRecord>`
    ${ownItems(actor)}
       and ${state === 'open' ? sql`i.done_at is null` : sql`true`}
       and ${before === undefined ? sql`true` : sql`i.id < ${before}`}
     order by i.id desc limit ${limit + 1}`.execute(domain.db)
  const { items, nextCursor } = pageOf(rows, limit, (item) => item.id)
  return { inboxItems: items.map(viewInboxItem), ...nextCursor }
}
