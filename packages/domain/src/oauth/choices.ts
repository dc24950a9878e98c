import { type Role, presetPermissions, rolePermissions } from '@svc/contracts/permissions'
import type { Permission } from '@svc/contracts/permissions'
import { listOwnWorkspaces } from '../people/own-workspaces.ts'
import type { Person } from '../entities/people/person.ts'
import type { UseCase } from '../use-case.ts'
import { oauthScope } from './grants.ts'

/** Where a person can let an application in, and what it could do there. */
export interface Choice {
  workspaceId: string
  workspaceName: string
  role: Role
  /** What the application is given, within the role. */
  permissions: readonly Permission[]
}

export async function listChoices(context: UseCase, person: Person): Promise<Choice[]> {
  const own = await listOwnWorkspaces(context, person)
  return own.map(({ id, name, role }) => ({
    workspaceId: id,
    workspaceName: name,
    role,
    permissions: presetPermissions[oauthScope].filter((one) => rolePermissions[role].includes(one)),
  }))
}
