import { cutText } from '@svc/contracts/cut-text'
import { hasVisible } from '@svc/contracts/free-text'
import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { ObjectiveInput } from '@svc/contracts/objective'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ObjectiveRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { type Ref, newId, newObjectiveKey } from '../common/ids.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import { recordChange } from '../commit/records.ts'
import { requireScopedObjective } from '../entities/objectives/pin.ts'
import { refuseCheck } from './refuse-check.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { listObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import { lockMission } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** Adds drafts at the end of the mission, in the order given. An objective that is named must be one of it. */
export async function addObjectives(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'addObjectives'> & { objectiveId?: string | undefined },
): Promise<RouteOutput<'addObjectives'>> {
  const { id, objectiveId } = input
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'objective:create', scopeOfMission(mission, id))
    if (objectiveId !== undefined) {
      await requireScopedObjective(tx, actor.workspaceId, { objectiveId, missionId: mission.id })
    }
    await refuseCheck(tx, actor, mission, checksOf(input.objectives))
    await insertObjectives(tx, actor.userId, mission, input.objectives)
    const objectives = await listObjectives(tx, mission)
    return {
      mission: viewMission(mission),
      objectives: objectives.map((objective) => viewObjective(mission, objective)),
    }
  })
}

export function checksOf(inputs: readonly ObjectiveInput[]) {
  return inputs.map(({ check }) => check)
}

/** The caller holds the mission's lock. */
export async function insertObjectives(
  tx: UnitOfWork,
  createdBy: string,
  mission: MissionRecord,
  inputs: readonly ObjectiveInput[],
): Promise<ObjectiveRow[]> {
  if (inputs.length === 0) return []
  const rows = draftsOf(createdBy, mission, inputs, await selectKeys(tx, mission).execute())
  const inserted = await tx.insertInto('objectives').values(rows).returningAll().execute()
  for (const objective of inserted) recordAdd(tx, mission, objective)
  return inserted
}

/** A blank one at the end, written with the commit. The caller holds the mission's lock. */
export function addNextDraft(
  tx: UnitOfWork,
  createdBy: string,
  mission: MissionRecord,
  all: readonly Keyed[],
): void {
  for (const draft of draftsOf(createdBy, mission, [{ instruction: '' }], all)) {
    tx.pending.insert('objectives', draft)
    recordAdd(tx, mission, { ...draft, revision: 1 })
  }
}

export type Keyed = Pick<ObjectiveRow, 'id' | 'state' | 'key' | 'deleted_at'>

/** The keys of all objectives that the mission has or had: deleted ones keep theirs, since they may come back. */
export function selectKeys(tx: Tx, mission: Ref) {
  return tx
    .selectFrom('objectives')
    .select(['id', 'state', 'key', 'deleted_at'])
    .where('workspace_id', '=', mission.workspace_id)
    .where('mission_id', '=', mission.id)
}

function draftsOf(
  createdBy: string,
  mission: MissionRecord,
  inputs: readonly ObjectiveInput[],
  all: readonly Keyed[],
) {
  const keys = new Set(all.map(({ key }) => key))
  const count = all.filter(({ deleted_at }) => deleted_at === null).length
  refuseIfTooMany(count + inputs.length)
  return inputs.map((input, index) => {
    const key = newObjectiveKey(keys)
    keys.add(key)
    return {
      workspace_id: mission.workspace_id,
      id: newId(),
      mission_id: mission.id,
      key,
      position: count + index + 1,
      title: input.title ?? titleFrom(input.instruction),
      instruction: input.instruction,
      state: 'draft' as const,
      assigned_agent: input.assigned_agent ?? null,
      model: input.model ?? null,
      reasoning_effort: input.reasoning_effort ?? null,
      resource_key: input.resource_key ?? null,
      chosen_check: input.check ?? null,
      created_by: createdBy,
    }
  })
}

function recordAdd(
  tx: UnitOfWork,
  mission: MissionRecord,
  objective: Pick<ObjectiveRow, 'workspace_id' | 'id' | 'mission_id' | 'state' | 'revision'>,
): void {
  recordChange(tx, { objective, mission }, 'add', { state: objective.state })
}

export function refuseIfTooMany(count: number): void {
  if (count <= limits.objectivesPerMission) return
  throw new ServiceError(
    'validation_failed',
    `A mission holds ${limits.objectivesPerMission} objectives at most. Start another mission for the rest.`,
  )
}

const blankTitle = 'Next objective'

/** The instruction's first line, shortened. */
export function titleFrom(instruction: string): string {
  const [line = ''] = instruction.trim().split('\n')
  const title = cutText(line.replace(/^[#\s*-]+/, ''), 80).trim()
  return hasVisible(title) ? title : blankTitle
}
