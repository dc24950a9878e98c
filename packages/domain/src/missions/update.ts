import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { sql } from 'kysely'
import { type Place, authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { recordChange } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { refuseIfRevised } from '../revision.ts'
import { type MissionRecord, placeOf, requireMission } from './queries.ts'
import { viewMission } from './views.ts'
import { lockMission } from '../lifecycle/locks.ts'

export async function updateMission(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'updateMission'>,
): Promise<RouteOutput<'updateMission'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, input.id)
    const place = placeOf(mission, input.id)
    authorize(actor, 'mission:update', place)
    // who turns it on is who the later launches are made for
    if (input.auto_advance === true) authorize(actor, 'execution_request:create', place)
    refuseIfRevised(mission.revision, input.expectedRevision)
    await writeMission(tx, actor, mission, input)
    return { mission: viewMission(await requireMission(tx, actor.workspaceId, mission.id)) }
  })
}

/** The caller holds the mission's lock. */
export async function setAutoAdvance(
  tx: Tx,
  actor: Actor,
  mission: MissionRecord,
  { auto_advance, place }: { auto_advance: boolean; place: Place },
): Promise<void> {
  authorize(actor, 'mission:update', place)
  if (auto_advance) authorize(actor, 'execution_request:create', place)
  await writeMission(tx, actor, mission, { auto_advance })
}

async function writeMission(
  tx: Tx,
  actor: Actor,
  mission: MissionRecord,
  input: Omit<RouteInput<'updateMission'>, 'id'>,
): Promise<void> {
  await tx
    .updateTable('missions')
    .set({
      title: input.title ?? mission.title,
      priority: input.priority ?? mission.priority,
      allow_parallel_objectives: input.allowParallelObjectives ?? mission.allow_parallel_objectives,
      use_worktrees: input.useWorktrees === undefined ? mission.use_worktrees : input.useWorktrees,
      auto_advance: input.auto_advance ?? mission.auto_advance,
      auto_advance_set_by: input.auto_advance === true ? actor.userId : mission.auto_advance_set_by,
      revision: mission.revision + 1,
      updated_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', actor.workspaceId)
    .where('id', '=', mission.id)
    .execute()
  recordChange(tx, {
    workspaceId: actor.workspaceId,
    projectId: mission.project_id,
    missionId: mission.id,
    entity: 'mission',
    entityId: mission.id,
    operation: 'update',
  })
}
