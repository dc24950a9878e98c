import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { MissionRow, ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notRestorable } from '../common/errors.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { settle, whereRestorable } from './restore-mission.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import type { UseCase } from '../use-case.ts'
import { refuseIfTooMany } from '../objectives/add.ts'
import { closeGaps } from '../entities/objectives/positions.ts'
import { requireObjective, whereObjectiveEver } from '../entities/objectives/queries.ts'
import { displayIdOf, viewObjective } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** The last of those that have, or have not, started. Of one that is there nothing changes. */
export async function restoreObjective(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'restoreObjective'>,
): Promise<RouteOutput<'restoreObjective'>> {
  return inTransaction(context, async (tx) => {
    const found = await findEver(tx, actor.workspaceId, id)
    const scope = { ...scopeOfMission(found.mission, id), objectiveId: found.objectiveId }
    authorize(actor, 'objective:delete', {
      ...scope,
      missing: () => notRestorable('objective', id),
    })
    if (found.mission.deleted_at !== null) throw missionDeleted(found.mission)
    const mission = await lockMission(tx, actor.workspaceId, found.mission.id)
    await restore(tx, actor, mission, found.objectiveId)
    const { objective } = await requireObjective(tx, actor.workspaceId, found.objectiveId)
    return { objective: viewObjective(mission, objective) }
  })
}

/** With what its display id is read from. */
type MissionEver = MissionRow & Pick<MissionRecord, 'project_slug'>

async function findEver(
  tx: Tx,
  workspaceId: string,
  ref: string,
): Promise<{ mission: MissionEver; objectiveId: string }> {
  const { rows } = await sql<MissionEver & { objective_id: string }>`
    select m.*, p.slug as project_slug, o.id as objective_id from objectives o
      join missions m on m.workspace_id = o.workspace_id and m.id = o.mission_id
      join projects p on p.workspace_id = m.workspace_id and p.id = m.project_id
     where o.workspace_id = ${workspaceId} and ${whereObjectiveEver(workspaceId, ref)}
       and ${whereRestorable('o')}`.execute(tx)
  const [found] = rows
  if (!found) throw notRestorable('objective', ref)
  const { objective_id: objectiveId, ...mission } = found
  return { mission, objectiveId }
}

function missionDeleted(mission: MissionEver): ServiceError {
  return new ServiceError(
    'invalid_transition',
    'Its mission is deleted, and comes back first.',
    { missionId: mission.id },
    { next: { operation: 'restoreMission', params: { id: displayIdOfMission(mission) } } },
  )
}

async function restore(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  id: string,
): Promise<void> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from objectives
     where workspace_id = ${mission.workspace_id} and mission_id = ${mission.id}
       and deleted_at is null`.execute(tx)
  const count = counted[0]?.count ?? 0
  const { rows } = await sql<ObjectiveRow>`
    update objectives
       set deleted_at = null, deleted_position = null, position = ${count + 1},
           revision = revision + 1
     where workspace_id = ${mission.workspace_id} and id = ${id} and deleted_at is not null
    returning *`.execute(tx)
  const [objective] = rows
  if (!objective) return
  refuseIfTooMany(count + 1)
  const settled = await settle(tx, mission, objective)
  recordEvent(
    tx,
    { userId: actor.userId, role: 'person' },
    { objective },
    { type: 'restored', summary: `${displayIdOf(mission, objective)} was restored` },
  )
  recordChange(tx, { objective: settled, mission }, 'restore')
  await closeGaps(tx, mission.workspace_id, [mission.id])
}
