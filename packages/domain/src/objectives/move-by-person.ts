import type { RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { ObjectiveTrigger } from '../states/table.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { leaveQueue } from '../run-queues/follow.ts'
import { refuseIfBlank } from '../entities/objectives/launch-refusals.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'

export function moveByPerson(
  context: UseCase,
  actor: Actor,
  ref: string,
  trigger: Extract<ObjectiveTrigger, 'submit' | 'sendBack'>,
): Promise<RouteOutput<'submitObjective'>> {
  return inTransaction(context, async (tx) => {
    const { mission, objective } = await lockMissionAndObjective(tx, actor.workspaceId, ref)
    authorize(actor, 'objective:update', scopeOfObjective({ mission, objective }, ref))
    if (trigger === 'submit') refuseIfBlank(mission, objective)
    if (trigger === 'sendBack') await leaveQueue(tx, { mission, objective })
    const moved = await moveObjective(tx, trigger, {
      mission,
      objective,
      set: { approval_refusal: null },
    })
    return { objective: viewObjective(mission, moved) }
  })
}
