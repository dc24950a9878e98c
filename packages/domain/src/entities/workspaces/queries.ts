import type { Queryable } from '@svc/db/database'

/** Those that a person is a member of. */
export function workspacesOf(db: Queryable, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
}
