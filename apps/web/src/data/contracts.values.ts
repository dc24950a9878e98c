import { limits as all } from '@svc/contracts/limits'
import { rolePermissions as ofRoles } from '@svc/contracts/permissions'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { type RouteName, restContracts } from '@svc/contracts/rest'

// What the app needs of the contracts as values: the build runs this file, and loads none of them.

export const limits = all
export const rolePermissions = ofRoles

/** The right that each operation asks for. */
// the entries of the contracts under the same keys; Object.fromEntries only says string
export const operationPermissions = Object.fromEntries(
  Object.entries(restContracts).map(([name, { permission }]) => [name, permission]),
) as Readonly<Record<RouteName, EndpointContract['permission']>>
