import type { Queryable } from '@svc/db/database'

/** Those that a person is a member of. */
export function workspacesOf(db: Queryable, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
}

/** The part of addresses that names the workspace. */
export async function slugOfWorkspace(db: Queryable, id: string): Promise<string> {
  const { slug } = await db
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return slug
}
