import type { Notification } from '@svc/contracts/notification'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { NotificationRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import { offered } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { readPage } from '../common/page.ts'
import type { UseCase } from '../use-case.ts'

/** Newest first. */
export async function listNotifications(
  { domain }: UseCase,
  actor: Actor,
  { state, ...page }: RouteInput<'listNotifications'>,
): Promise<RouteOutput<'listNotifications'>> {
  authorize(actor, 'own_inbox:manage')
  let query = domain.db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('user_id', '=', actor.userId)
    .where(withinProjects(actor))
    .orderBy('id', 'desc')
  if (state === 'unread') query = query.where('read_at', 'is', null)
  const { items, nextCursor } = await readPage(query, 'id', page)
  return { notifications: items.map((row) => viewNotification(actor, row)), ...nextCursor }
}

/** A token that is for some projects hears of these, and of the workspace as a whole. */
export function withinProjects({ credential }: Actor): RawBuilder<boolean> {
  const { projectIds } = credential
  return sql<boolean>`(${projectIds}::uuid[] is null or project_id is null
    or project_id = any(${projectIds}::uuid[]))`
}

/** Whoever may no longer take the step still hears what has happened. */
function viewNotification(actor: Actor, row: NotificationRow): Notification {
  const next = offered(actor, row.next)
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    link: row.link,
    ...(next && { next }),
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }
}
