import { ServiceError } from '@svc/contracts/errors'
import { type Permission, permissionRow } from '@svc/contracts/permissions'
import type { Actor } from '../actor.ts'

/** Where a permission is asked: `missing` is the answer to those who may not know that the thing exists. */
export interface Place {
  projectId: string
  objectiveId?: string
  missing: ServiceError
}

/**
 * Role, scope and audience allow it here, or the call is refused: `not_found` where the caller may not even read,
 * `forbidden` where only this right is lacking. It is the line after loading, in every use case.
 */
export function authorize(actor: Actor, permission: Permission, place?: Place): void {
  if (place && !canSee(actor, place)) throw place.missing
  const isBound = actor.token.projectIds !== null
  if (!place && isBound && !permissionRow(permission).withoutProject) throw forbidden(permission)
  const isAround = actor.token.objectiveId !== null && place?.objectiveId === undefined
  if (isAround && !permissionRow(permission).aroundObjective) throw forbidden(permission)
  if (!actor.permissions.has(permission)) throw forbidden(permission)
}

function canSee(actor: Actor, place: Place): boolean {
  const { projectIds, objectiveId } = actor.token
  if (projectIds !== null && !projectIds.includes(place.projectId)) return false
  if (
    objectiveId !== null &&
    place.objectiveId !== undefined &&
    place.objectiveId !== objectiveId
  ) {
    return false
  }
  return actor.permissions.has('mission:read') || actor.permissions.has('project:read')
}

function forbidden(permission: Permission): ServiceError {
  return new ServiceError(
    'forbidden',
    `This needs the permission ${permission}, which your role or token does not give. Use a token that has it, or ask an admin.`,
    { permission },
  )
}
