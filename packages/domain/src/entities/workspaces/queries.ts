import type { Queryable } from '@svc/db/database'
import type { MembershipRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { selectRestorableUntil } from '../../common/restorable.ts'

/** Those that a person is a member of. */
export function workspacesOf(db: Queryable, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
}

type Membership = Pick<MembershipRow, 'workspace_id' | 'user_id' | 'role'>

/**
 * Those of deleted workspaces among them, which let nobody in and are good again once their workspace is restored: what asks
 * where somebody belongs, or ends what they hold, looks at both.
 */
export const everyMembership = sql<Membership>`(
  select workspace_id, user_id, role from memberships
  union all select workspace_id, user_id, role from held_memberships)`

/** Those that are deleted, and that a person owns and can restore. */
export function deletedWorkspacesOf(db: Queryable, userId: string) {
  return db
    .selectFrom('held_memberships as h')
    .innerJoin('workspaces as w', 'w.id', 'h.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', restorableUntil.as('restorableUntil')])
    .where('h.user_id', '=', userId)
    .where('h.role', '=', 'owner')
    .where(restorableUntil, '>', sql<Date>`app.now()`)
}

/** Of the workspace `w`; null of one that is not deleted. */
export const restorableUntil = selectRestorableUntil(sql`w.deleted_at`)

/** The part of addresses that names the workspace. */
export async function slugOfWorkspace(db: Queryable, id: string): Promise<string> {
  const { slug } = await db
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return slug
}
