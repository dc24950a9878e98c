import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { moveByPerson } from './move-by-person.ts'

export function sendBackObjective(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'sendBackObjective'>,
): Promise<RouteOutput<'sendBackObjective'>> {
  return moveByPerson(context, actor, input.id, 'sendBack')
}
