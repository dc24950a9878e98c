import { ServiceError, isServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import { stepPermission } from '@svc/contracts/step-permission'
import type { Actor } from '../common/actor.ts'

/** The step, where whoever is told of it has the right to take it. */
export function offered<Step extends NextStep>(
  actor: Pick<Actor, 'permissions'> | null,
  next: Step | undefined,
): Step | undefined {
  if (next === undefined || actor === null) return undefined
  const permission = stepPermission(next)
  return permission === undefined || actor.permissions.has(permission) ? next : undefined
}

/** The refusal without a step that whoever is refused may not take. */
export function refusalTo(actor: Pick<Actor, 'permissions'>, error: unknown): unknown {
  if (!isServiceError(error) || offered(actor, error.next) === error.next) return error
  return new ServiceError(error.code, error.message, error.details, { cause: error })
}
