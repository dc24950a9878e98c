import { isClosed } from '@svc/contracts/states'
import { sql } from 'kysely'
import { notFound } from '../common/errors.ts'
import { type MissionTrigger, missionLifecycle } from '../states/table.ts'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { type MissionRecord, selectStatuses } from '../entities/missions/queries.ts'
import { reviseMission } from '../commit/revise-mission.ts'
import { announce } from './announce.ts'
import { ofObjectives, settleWhere } from '../notifications/settle.ts'
import type { Status } from '../commit/locks-held.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

interface Facts {
  mission: MissionRecord
  author: Author
  /** For a move to the status that the caller names. */
  chosenStatusId?: string
}

/**
 * The only place that moves a mission's status. Nothing happens where it has it already, so that
 * `mission.status_changed` is for real changes. The caller holds the mission's lock. Written with the commit.
 */
export async function moveMission(
  tx: UnitOfWork,
  trigger: MissionTrigger,
  { mission, author, chosenStatusId }: Facts,
): Promise<MissionRecord> {
  const row = missionLifecycle[trigger]
  if (row.to !== 'chosen' && mission.status_type === row.to) return mission
  if ('staysClosed' in row && isClosed(mission.status_type)) return mission
  const status = await findStatus(tx, mission, row.to, chosenStatusId)
  if (status.id === mission.status_id) return mission
  const moved = {
    ...tx.pending.move('missions', mission, {
      status_id: status.id,
      in_review_since: status.type === 'review' ? (mission.in_review_since ?? tx.locks.now) : null,
      revision: reviseMission(tx, mission),
      updated_at: tx.locks.now,
    }),
    status_type: status.type,
    status_label: status.label,
  }
  if (isClosed(status.type) !== isClosed(mission.status_type)) await keepNeeds(tx, moved)
  record(tx, author, mission, moved)
  announce(tx, row.publishes, moved, {})
  return moved
}

/** Closing is a person's word about all that its objectives need; once it is open again, approval is awaited again. */
async function keepNeeds(
  tx: UnitOfWork,
  { workspace_id, id, status_type }: MissionRecord,
): Promise<void> {
  const ofMission = sql`workspace_id = ${workspace_id} and mission_id = ${id}`
  const kept = isClosed(status_type)
    ? sql`set need = null, need_since = null where ${ofMission} and need is not null`
    : sql`set need = 'awaiting_approval', need_since = app.now()
           where ${ofMission} and state = 'awaiting_approval' and deleted_at is null`
  await sql`update objectives ${kept}`.execute(tx)
  if (!isClosed(status_type)) return
  const objectives = sql`array(select id from objectives where ${ofMission})`
  settleWhere(
    tx,
    workspace_id,
    sql`subject_id = any(${objectives}) and kind = any(${ofObjectives}::text[])`,
  )
}

/** The first status of the type, or the one that is named. */
async function findStatus(
  tx: UnitOfWork,
  mission: MissionRecord,
  to: (typeof missionLifecycle)[MissionTrigger]['to'],
  chosenStatusId: string | undefined,
): Promise<Status> {
  const known = tx.locks.statusesOf(mission.project_id)
  const statuses = known.length > 0 ? known : (await selectStatuses(mission).execute(tx)).rows
  const isWanted = ({ id, type }: Status) => (to === 'chosen' ? id === chosenStatusId : type === to)
  const found = statuses.find(isWanted)
  if (!found) throw notFound('status', chosenStatusId ?? to)
  return found
}

function record(tx: UnitOfWork, author: Author, before: MissionRecord, moved: MissionRecord): void {
  recordEvent(
    tx,
    author,
    { mission: moved },
    {
      type: 'status_change',
      summary: `Status: ${before.status_label} → ${moved.status_label}`,
      data: { from: before.status_type, to: moved.status_type },
    },
  )
  recordChange(tx, { mission: moved }, 'status', {
    phase: moved.status_type,
    label: moved.status_label,
  })
}
