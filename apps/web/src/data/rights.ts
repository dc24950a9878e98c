import type { Permission } from '@svc/contracts/permissions'
import type { RouteName, RouteOutput } from '@svc/contracts/rest'
import { operationPermissions, rolePermissions } from './contracts.values.ts'

export type Me = RouteOutput<'getMe'>

/** What somebody may do in the workspace, by their role there; the service has the last word. */
export interface Rights {
  may: (permission: Permission) => boolean
  /** Whether the operation is theirs: what is not is not drawn. */
  mayCall: (operation: RouteName) => boolean
}

export function rightsOf({ role }: Pick<Me, 'role'>): Rights {
  const held = new Set(rolePermissions[role])
  return {
    may: (permission) => held.has(permission),
    mayCall: (operation) => {
      const needed = operationPermissions[operation]
      if (needed === 'any' || needed === 'person' || needed === 'public') return true
      return held.has(needed)
    },
  }
}
