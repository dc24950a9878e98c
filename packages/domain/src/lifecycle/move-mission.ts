import { isClosed } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import type { ProjectStatusRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import { type MissionTrigger, missionLifecycle } from './table.ts'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import type { MissionRecord } from '../missions/queries.ts'
import { announce } from './announce.ts'

interface Facts {
  mission: MissionRecord
  author: Author
  /** For a move to the status that the caller names. */
  chosenStatusId?: string
}

/**
 * The only statement that writes a mission's status. Nothing happens where it has it already, so that
 * `mission.status_changed` tells of real changes. The caller holds the mission's lock.
 */
export async function moveMission(
  tx: Tx,
  trigger: MissionTrigger,
  { mission, author, chosenStatusId }: Facts,
): Promise<MissionRecord> {
  const row = missionLifecycle[trigger]
  if (row.to !== 'chosen' && mission.status_type === row.to) return mission
  if ('staysClosed' in row && isClosed(mission.status_type)) return mission
  const status = await findTarget(tx, mission, row.to, chosenStatusId)
  if (!status || status.id === mission.status_id) return mission

  const updated = await tx
    .updateTable('missions')
    .set({
      status_id: status.id,
      revision: sql<number>`revision + 1`,
      updated_at: sql<Date>`app.now()`,
    })
    .where('workspace_id', '=', mission.workspace_id)
    .where('id', '=', mission.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const moved: MissionRecord = {
    ...updated,
    project_slug: mission.project_slug,
    status_type: status.type,
    status_label: status.label,
  }
  record(tx, author, mission, moved)
  announce(tx, row.publishes, moved, {})
  return moved
}

async function findTarget(
  tx: Tx,
  mission: MissionRecord,
  to: (typeof missionLifecycle)[MissionTrigger]['to'],
  chosenStatusId: string | undefined,
): Promise<ProjectStatusRow | undefined> {
  const ofProject = tx
    .selectFrom('project_statuses')
    .selectAll()
    .where('workspace_id', '=', mission.workspace_id)
    .where('project_id', '=', mission.project_id)
    .orderBy('position')
  if (to !== 'chosen') return ofProject.where('type', '=', to).executeTakeFirst()
  const chosen = await ofProject.where('id', '=', chosenStatusId ?? '').executeTakeFirst()
  if (!chosen) throw notFound('status', chosenStatusId ?? '')
  return chosen
}

function record(tx: Tx, author: Author, before: MissionRecord, moved: MissionRecord): void {
  recordEvent(tx, author, {
    workspaceId: moved.workspace_id,
    missionId: moved.id,
    type: 'status_change',
    summary: `Status: ${before.status_label} → ${moved.status_label}`,
    data: { from: before.status_type, to: moved.status_type },
  })
  recordChange(tx, {
    workspaceId: moved.workspace_id,
    projectId: moved.project_id,
    missionId: moved.id,
    entity: 'mission',
    entityId: moved.id,
    operation: 'status',
    data: { phase: moved.status_type, label: moved.status_label },
  })
}
