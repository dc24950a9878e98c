import { type Role, presetPermissions, rolePermissions } from '@svc/contracts/permissions'
import type { Permission } from '@svc/contracts/permissions'
import type { Queryable } from '@svc/db/database'
import { oauthScope } from './grants.ts'

/** Where a person can let an application in, and what it could do there. */
export interface Choice {
  workspaceId: string
  workspaceName: string
  role: Role
  /** What the application is given, within the role. */
  permissions: readonly Permission[]
}

export async function listChoices(db: Queryable, userId: string): Promise<Choice[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('w.name')
    .execute()
  return rows.map(({ id, name, role }) => ({
    workspaceId: id,
    workspaceName: name,
    role,
    permissions: presetPermissions[oauthScope].filter((one) => rolePermissions[role].includes(one)),
  }))
}
