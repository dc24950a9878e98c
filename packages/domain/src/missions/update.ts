import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { refuseIfRevised } from '../common/revision.ts'
import { scopeOfMission, requireMission } from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import { writeMission } from '../entities/missions/write.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { recordBudget, refuseIfOfMachine } from './set-budget.ts'

export async function updateMission(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateMission'>,
): Promise<RouteOutput<'updateMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, input.id)
    const scope = scopeOfMission(mission, input.id)
    authorize(actor, 'mission:update', scope)
    // who turns it on is who the later launches are made for
    if (input.auto_advance === true) authorize(actor, 'execution_request:create', scope)
    if (input.budget) refuseIfOfMachine(actor)
    refuseIfRevised(mission.revision, input.expectedRevision, () => ({
      mission: viewMission(mission),
    }))
    await writeMission(tx, actor, mission, input)
    const after = await requireMission(tx, actor.workspaceId, mission.id)
    const changed = { before: mission, after }
    const warnings = input.budget ? await recordBudget(tx, context, actor, changed) : []
    return { mission: viewMission(after), warnings }
  })
}
