import type { Queryable, Tx } from '@svc/db/database'
import type { InboxItemRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'

/** An item with what the display id of its mission is made of, where the caller may see that. */
export interface InboxItemRecord extends InboxItemRow {
  seen_mission_id: string | null
  sequence: number | null
  project_slug: string | null
}

/** Over `i`: of nobody but the caller. */
export function ownItems(actor: Actor): RawBuilder<InboxItemRecord> {
  const visible = whereVisibleTo(actor, { projectId: sql`m.project_id`, missionId: sql`m.id` })
  return sql<InboxItemRecord>`
    select i.*, m.id as seen_mission_id, m.sequence, p.slug as project_slug
      from inbox_items i
      left join missions m on m.workspace_id = i.workspace_id and m.id = i.mission_id
                          and m.deleted_at is null and ${visible}
      left join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where i.workspace_id = ${actor.workspaceId} and i.user_id = ${actor.userId}`
}

export async function requireItem(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<InboxItemRecord> {
  const { rows } = await sql<InboxItemRecord>`${ownItems(actor)} and i.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('inbox item', id)
  return rows[0]
}

/** Taken before everything that a mission is made of, and read after the lock. */
export async function lockItem(tx: Tx, actor: Actor, id: string): Promise<InboxItemRecord> {
  await sql`
    select from inbox_items
     where workspace_id = ${actor.workspaceId} and user_id = ${actor.userId} and id = ${id}
       for no key update`.execute(tx)
  return requireItem(tx, actor, id)
}
