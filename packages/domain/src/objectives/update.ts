import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { followEdit } from '../run-queues/follow.ts'
import { isStarted } from '../states/states.ts'
import { refuseIfRevised } from '../common/revision.ts'
import { scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import { setAutoAdvance } from '../entities/missions/write.ts'
import { titleFrom } from './add.ts'
import { refuseCheck } from './refuse-check.ts'
import { scopeOfObjective } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Edits = Omit<RouteInput<'updateObjective'>, 'id' | 'auto_advance'>

/**
 * Only before it has started; an edit of one that awaits approval sends it back to draft. Decision 29. `auto_advance`
 * is its mission's.
 */
export async function updateObjective(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateObjective'> & { missionId?: string | undefined },
): Promise<RouteOutput<'updateObjective'>> {
  const { id, missionId, auto_advance, ...edits } = input
  return inTransaction(context, async (tx) => {
    const { mission, objective } = await lockMissionAndObjective(
      tx,
      actor.workspaceId,
      id,
      missionId,
    )
    const scope = scopeOfObjective({ mission, objective }, id)
    authorize(actor, 'objective:update', scope)
    // a call that only switches the mission's auto_advance may name an objective that has started
    const { expectedRevision: _guard, ...values } = edits
    const isEdit =
      auto_advance === undefined || Object.values(values).some((one) => one !== undefined)
    await refuseCheck(tx, actor, mission, [edits.check])
    const edited = isEdit ? await edit(tx, mission, objective, edits) : objective
    if (auto_advance !== undefined)
      await setAutoAdvance(tx, actor, mission, { auto_advance, scope: scopeOfMission(mission, id) })
    return {
      objective: viewObjective(mission, edited),
      auto_advance: auto_advance ?? mission.auto_advance,
    }
  })
}

/** The caller holds the locks and has authorized. */
export async function edit(
  tx: UnitOfWork,
  mission: MissionRecord,
  objective: ObjectiveRow,
  edits: Edits,
): Promise<ObjectiveRow> {
  refuseIfStarted(mission, objective)
  refuseIfRevised(objective.revision, edits.expectedRevision, () => ({
    objective: viewObjective(mission, objective),
  }))
  const edited = await tx
    .updateTable('objectives')
    .set({ ...editsOf(objective, edits), revision: objective.revision + 1 })
    .where('workspace_id', '=', mission.workspace_id)
    .where('id', '=', objective.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChange(tx, { objective: edited, mission }, 'edit', { state: edited.state })
  await followEdit(tx, edited)
  if (edited.state !== 'awaiting_approval') return edited
  const set = { approval_refusal: null }
  return moveObjective(tx, 'sendBack', { mission, objective: edited, set })
}

function refuseIfStarted(mission: MissionRecord, objective: ObjectiveRow): void {
  if (!isStarted(objective.state)) return
  throw new ServiceError(
    'invalid_transition',
    `This objective is ${objective.state}; what has started is not edited. Add another objective for what is left.`,
    { state: objective.state },
    { next: { operation: 'addObjectives', params: { id: displayIdOfMission(mission) } } },
  )
}

/** One that was made of the instruction goes with it; one that a person gave stays. */
function followingTitle(objective: ObjectiveRow, instruction = objective.instruction): string {
  const isMade = objective.title === titleFrom(objective.instruction)
  return isMade ? titleFrom(instruction) : objective.title
}

function editsOf(objective: ObjectiveRow, input: Edits) {
  return {
    title: input.title ?? followingTitle(objective, input.instruction),
    instruction: input.instruction ?? objective.instruction,
    assigned_agent:
      input.assigned_agent === undefined ? objective.assigned_agent : input.assigned_agent,
    model: input.model === undefined ? objective.model : input.model,
    reasoning_effort:
      input.reasoning_effort === undefined ? objective.reasoning_effort : input.reasoning_effort,
    resource_key: input.resource_key === undefined ? objective.resource_key : input.resource_key,
    chosen_check: input.check === undefined ? objective.chosen_check : input.check,
  }
}
