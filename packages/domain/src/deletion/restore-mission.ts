import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { MissionRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { type AccessScope, authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notRestorable } from '../common/errors.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { allows } from '../states/table.ts'
import { closeGaps } from '../entities/objectives/positions.ts'
import { listObjectives } from '../entities/objectives/queries.ts'
import { viewObjective } from '../entities/objectives/views.ts'
import type { UseCase } from '../use-case.ts'
import {
  type MissionRecord,
  scopeOfMission,
  requireMission,
  whereMissionEver,
} from '../entities/missions/queries.ts'
import { viewMission } from '../entities/missions/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'
import { restorableSince } from '../common/restorable.ts'

/** A mission as it was, with the objectives that went with it; of one that is there nothing changes. */
export async function restoreMission(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'restoreMission'>,
): Promise<RouteOutput<'restoreMission'>> {
  return inTransaction(context, async (tx) => {
    const found = await lockEver(tx, actor.workspaceId, id)
    const scope = { ...scopeOfMission(found, id), missing: () => notRestorable('mission', id) }
    authorize(actor, 'mission:delete', scope)
    if (found.deleted_at !== null) await restore(tx, actor, found, scope)
    const mission = await requireMission(tx, actor.workspaceId, found.id)
    const objectives = await listObjectives(tx, mission)
    return {
      mission: viewMission(mission),
      objectives: objectives.map((objective) => viewObjective(mission, objective)),
    }
  })
}

/** A deleted thing can be restored as long as this holds for it. */
export function whereRestorable(table: 'm' | 'o') {
  const deletedAt = sql.ref(`${table}.deleted_at`)
  return sql<boolean>`(${deletedAt} is null
    or ${deletedAt} > ${restorableSince})`
}

/** Where it is deleted no other call finds it, so that its lock is the only one. */
async function lockEver(tx: Tx, workspaceId: string, ref: string): Promise<MissionRow> {
  const { rows } = await sql<MissionRow>`
    select m.* from missions m
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where ${whereMissionEver(workspaceId, ref)} and ${whereRestorable('m')}
       for no key update of m`.execute(tx)
  if (!rows[0]) throw notRestorable('mission', ref)
  return rows[0]
}

async function restore(
  tx: UnitOfWork,
  actor: Actor,
  found: MissionRow,
  scope: AccessScope,
): Promise<void> {
  authorize(actor, 'objective:delete', scope)
  await sql`
    update missions set deleted_at = null, updated_at = app.now(), revision = revision + 1
     where workspace_id = ${found.workspace_id} and id = ${found.id}`.execute(tx)
  const mission = await lockMission(tx, found.workspace_id, found.id)
  const { rows } = await sql<ObjectiveRow>`
    update objectives
       set deleted_at = null, deleted_with_mission = false, position = deleted_position,
           deleted_position = null, revision = revision + 1
     where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id}
       and deleted_with_mission
    returning *`.execute(tx)
  // the end of a run may have come after the deletion, and moved an objective to the other side
  await closeGaps(tx, mission.workspace_id, [mission.id])
  for (const objective of rows) await settle(tx, mission, objective)
  recordEvent(
    tx,
    { userId: actor.userId, role: 'person' },
    { mission },
    { type: 'restored', summary: 'The mission was restored' },
  )
  recordChange(tx, { mission }, 'restore')
}

/** What waited for something waits no more: a person says anew that it is ready. */
export async function settle(
  tx: UnitOfWork,
  mission: MissionRecord,
  objective: ObjectiveRow,
): Promise<ObjectiveRow> {
  if (!allows('restore', objective.state)) return objective
  return moveObjective(tx, 'restore', { mission, objective, set: { approval_refusal: null } })
}
