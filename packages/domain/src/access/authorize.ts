import { ServiceError } from '@svc/contracts/errors'
import { type Permission, permissionRow } from '@svc/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'

/** Where a permission is asked: `missing` is the answer to those who may not know that the thing exists. */
export interface Place {
  projectId: string
  /** null: of the project as a whole */
  missionId: string | null
  /** null: of the mission as a whole */
  objectiveId: string | null
  missing: ServiceError
}

/**
 * Role, scope and audience allow it here, or the call is refused: `not_found` where the caller may not even read,
 * `forbidden` where only this right is lacking. Whoever has the right that is asked may see what it acts on. It is the
 * line after loading, in every use case.
 */
export function authorize(actor: Actor, permission: Permission, place?: Place): void {
  if (place && !canSee(actor, permission, place)) throw place.missing
  const isHeld = actor.permissions.has(permission) && isWithinBounds(actor, permission, place)
  if (!isHeld) throw forbidden(permission)
}

/** The same as a question. */
export function isAllowed(actor: Actor, permission: Permission, place: Place): boolean {
  const isHeld = actor.permissions.has(permission) && isWithinBounds(actor, permission, place)
  return isHeld && isWithinReach(actor, place)
}

function isWithinBounds({ credential }: Actor, permission: Permission, place?: Place): boolean {
  const row = permissionRow(permission)
  if (credential.projectIds !== null && !place && !row.withoutProject) return false
  if (credential.objective === null) return true
  const isThere = place !== undefined && place.objectiveId !== null
  return isThere ? !row.neverForObjective : row.aroundObjective === true
}

function canSee(actor: Actor, permission: Permission, place: Place): boolean {
  if (!isWithinReach(actor, place)) return false
  const seeing: readonly Permission[] = ['mission:read', 'project:read', permission]
  return seeing.some((one) => actor.permissions.has(one))
}

/** What the token is bound to: its projects, and of one for an objective that one, its mission and its project. */
function isWithinReach({ credential }: Actor, place: Place): boolean {
  const { projectIds, objective } = credential
  if (projectIds !== null && !projectIds.includes(place.projectId)) return false
  if (objective === null) return true
  if (place.missionId !== null && place.missionId !== objective.missionId) return false
  return place.objectiveId === null || place.objectiveId === objective.id
}

interface Columns {
  projectId: RawBuilder<unknown>
  missionId?: RawBuilder<unknown>
  objectiveId?: RawBuilder<unknown>
}

/** The same of the rows of a list or feed, in SQL. A column that the rows do not have is left out. */
export function whereWithinReach({ credential }: Actor, columns: Columns): RawBuilder<boolean> {
  const { projectIds, objective } = credential
  const { projectId, missionId, objectiveId } = columns
  const conditions = [
    ...(projectIds ? [sql`${projectId} = any(${projectIds}::uuid[])`] : []),
    ...(objective && missionId ? [sql`${missionId} = ${objective.missionId}::uuid`] : []),
    ...(objective && objectiveId ? [sql`${objectiveId} = ${objective.id}::uuid`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

function forbidden(permission: Permission): ServiceError {
  return new ServiceError(
    'forbidden',
    `This needs the permission ${permission}, which your role or token does not give. Use a token that has it, or ask an admin.`,
    { permission },
  )
}
