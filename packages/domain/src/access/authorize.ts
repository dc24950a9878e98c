import { ServiceError } from '@svc/contracts/errors'
import { type Permission, permissionRow } from '@svc/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../common/actor.ts'

/** What a permission is asked for; `missing` makes the answer to those who may not know that the thing exists. */
export interface AccessScope {
  projectId: string
  /** null: the project as a whole */
  missionId: string | null
  /** null: the mission as a whole */
  objectiveId: string | null
  missing: () => ServiceError
}

/**
 * Role, scope and audience allow it here, or the call is refused: `not_found` where the caller may not even read,
 * `forbidden` where only this right is lacking. Whoever has the right that is asked may see what it acts on. It is the
 * line after loading, in every use case.
 */
export function authorize(actor: Actor, permission: Permission, scope?: AccessScope): void {
  if (scope && !canSee(actor, permission, scope)) throw scope.missing()
  const isHeld = actor.permissions.has(permission) && isWithinBounds(actor, permission, scope)
  if (!isHeld) throw actor.isOfDeleted ? workspaceIsDeleted() : forbidden(actor, permission)
}

/** Whether authorize would let the call pass. */
export function isAllowed(actor: Actor, permission: Permission, scope?: AccessScope): boolean {
  const isHeld = actor.permissions.has(permission) && isWithinBounds(actor, permission, scope)
  return isHeld && (scope === undefined || isVisibleTo(actor, scope))
}

/** Whether a list that names no project may show what this permission is for, as far as its rows are visible. */
export function holdsAnywhere(actor: Actor, permission: Permission): boolean {
  return actor.permissions.has(permission) && isWithinBounds(actor, permission)
}

function isWithinBounds(
  { credential }: Actor,
  permission: Permission,
  scope?: AccessScope,
): boolean {
  const row = permissionRow(permission)
  if (credential.projectIds !== null && !scope && !row.withoutProject) return false
  if (credential.objective === null) return true
  const isThere = scope !== undefined && scope.objectiveId !== null
  return isThere ? !row.neverForObjective : row.aroundObjective === true
}

function canSee(actor: Actor, permission: Permission, scope: AccessScope): boolean {
  if (!isVisibleTo(actor, scope)) return false
  const seeing: readonly Permission[] = ['mission:read', 'project:read', permission]
  return seeing.some((one) => actor.permissions.has(one))
}

/** A token may be bound to some projects; one for an objective is bound to it, its mission and its project. */
function isVisibleTo({ credential }: Actor, scope: AccessScope): boolean {
  const { projectIds, objective } = credential
  if (projectIds !== null && !projectIds.includes(scope.projectId)) return false
  if (objective === null) return true
  if (scope.missionId !== null && scope.missionId !== objective.missionId) return false
  return scope.objectiveId === null || scope.objectiveId === objective.id
}

interface AccessColumns {
  projectId: RawBuilder<unknown>
  missionId?: RawBuilder<unknown>
  objectiveId?: RawBuilder<unknown>
}

/** isVisibleTo as a condition in SQL on the rows of a list or feed. A column that the rows do not have is left out. */
export function whereVisibleTo({ credential }: Actor, columns: AccessColumns): RawBuilder<boolean> {
  const { projectIds, objective } = credential
  const { projectId, missionId, objectiveId } = columns
  const conditions = [
    ...(projectIds ? [sql`${projectId} = any(${projectIds}::uuid[])`] : []),
    ...(objective && missionId ? [sql`${missionId} = ${objective.missionId}::uuid`] : []),
    ...(objective && objectiveId ? [sql`${objectiveId} = ${objective.id}::uuid`] : []),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

function workspaceIsDeleted(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This workspace was deleted. An owner can restore it for 30 days; until then nothing else can be done here.',
    undefined,
    { next: { operation: 'restoreWorkspace', params: {} } },
  )
}

function forbidden({ credential }: Actor, permission: Permission): ServiceError {
  const way =
    credential.kind === 'sign_in'
      ? 'your role does not give. Ask an admin'
      : 'your role or token does not give. Use a token that has it, or ask an admin'
  return new ServiceError('forbidden', `This needs the permission ${permission}, which ${way}.`, {
    permission,
  })
}
