import { type Permission, Role, rolePermissions } from '@svc/contracts/permissions'
import type { Queryable } from '@svc/db/database'
import { type RawBuilder, sql } from 'kysely'

/** Asked of one person. */
export async function mayNow(
  db: Queryable,
  permission: Permission,
  member: { workspaceId: string; userId: string },
): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select ${memberMay(permission, member)} as may`.execute(db)
  return rows[0]?.may ?? false
}

interface Member {
  workspaceId: RawBuilder<unknown> | string
  userId: RawBuilder<unknown> | string
}

/**
 * In SQL, whether a person who does not call may do this in the workspace at this moment: a member, not disabled, with
 * a role that has it. One row by key, for a plan that stays a look-up wherever it is used.
 */
export function memberMay(
  permission: Permission,
  { workspaceId, userId }: Member,
): RawBuilder<boolean> {
  const roles = Role.options.filter((role) => rolePermissions[role].includes(permission))
  return sql<boolean>`coalesce((
    select m.role = any(${roles}) from memberships m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and u.disabled_at is null
     limit 1), false)`
}
