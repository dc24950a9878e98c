import { isClosed } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
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
  const moved = await write(tx, mission, row.to, chosenStatusId)
  if (!moved) return mission
  record(tx, author, mission, moved)
  announce(tx, row.publishes, moved, {})
  return moved
}

/** To the first status of the type, or to the one that is named; nothing where the mission has it already. */
async function write(
  tx: Tx,
  mission: MissionRecord,
  to: (typeof missionLifecycle)[MissionTrigger]['to'],
  chosenStatusId: string | undefined,
): Promise<MissionRecord | undefined> {
  if (to === 'chosen') await requireStatus(tx, mission, chosenStatusId ?? '')
  const wanted = to === 'chosen' ? sql`id = ${chosenStatusId}` : sql`type = ${to}`
  const { rows } = await sql<MissionRecord>`
    update missions m set status_id = s.id, revision = revision + 1, updated_at = app.now()
      from (select id, type, label from project_statuses
             where workspace_id = ${mission.workspace_id} and project_id = ${mission.project_id}
               and ${wanted}
             order by position limit 1) s
     where m.workspace_id = ${mission.workspace_id} and m.id = ${mission.id} and m.status_id <> s.id
    returning m.*, s.type as status_type, s.label as status_label`.execute(tx)
  return rows[0] && { ...rows[0], project_slug: mission.project_slug }
}

async function requireStatus(tx: Tx, mission: MissionRecord, id: string): Promise<void> {
  const found = await tx
    .selectFrom('project_statuses')
    .select('id')
    .where('workspace_id', '=', mission.workspace_id)
    .where('project_id', '=', mission.project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('status', id)
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
