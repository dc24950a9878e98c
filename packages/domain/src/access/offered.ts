import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import { permissionRow } from '@svc/contracts/permissions'
import { stepPermission } from '@svc/contracts/step-permission'
import type { Actor } from '../common/actor.ts'

/** The step, where whoever is offered it has the right to take it. */
export function offered<Step extends NextStep>(
  actor: Pick<Actor, 'permissions'> | null,
  next: Step | undefined,
): Step | undefined {
  if (next === undefined || actor === null) return undefined
  const permission = stepPermission(next)
  return permission === undefined || actor.permissions.has(permission) ? next : undefined
}

/** The same of a step in an answer about a mission, of which a token for one objective may do little else. */
export function isOffered(actor: Actor, next: NextStep): boolean {
  if (offered(actor, next) === undefined) return false
  const permission = stepPermission(next)
  const isFree = actor.credential.objective === null || permission === undefined
  return isFree || permissionRow(permission).aroundObjective === true
}

/** The refusal without a step that whoever is refused may not take. */
export function refusalTo(actor: Pick<Actor, 'permissions'>, error: unknown): unknown {
  if (!isServiceError(error) || offered(actor, error.next) === error.next) return error
  return new ServiceError(error.code, error.message, error.details, { cause: error })
}
