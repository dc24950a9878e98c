import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { restorableUntil } from '../common/restorable.ts'
import { lockMissions } from '../lifecycle/locks.ts'
import { where } from '../states/states.ts'
import { type Going, endForDeletion, lockGoing, runOf } from './end-for-deletion.ts'
import type { ObjectiveInMission } from '../entities/objectives/queries.ts'
import { leaveQueue, lockQueuesOf } from '../run-queues/follow.ts'
import type { UseCase } from '../use-case.ts'
import { listQueued, refuseUnlessConfirmed } from './confirmation.ts'
import { findCalledMissions } from '../entities/missions/named.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission } from '../entities/missions/views.ts'
import type { Tx } from '@svc/db/database'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { settleWhere } from '../notifications/settle.ts'

/** All that are named, with their objectives, or nothing. They can be restored for a while. Decision 36. */
export async function deleteMissions(
  context: UseCase,
  actor: Actor,
  { missionIds, ...confirmation }: RouteInput<'deleteMissions'>,
): Promise<RouteOutput<'deleteMissions'>> {
  return inTransaction(context, async (tx) => {
    const missions = await lockNamed(tx, actor, missionIds)
    const going = await lockGoing(tx, await listObjectivesOf(tx, missions, where.active('o')))
    const resolved = resolve(missions, going, await listQueued(tx, missions))
    refuseUnlessConfirmed(confirmation, { what: 'missions', resolved, going })
    for (const mission of await withObjectives(tx, missions)) {
      authorize(actor, 'objective:delete', scopeOfMission(mission, displayIdOfMission(mission)))
    }
    const author: Author = { userId: actor.userId, role: 'person' }
    await lockQueuesOf(tx, missions)
    const cancelledRuns = await endForDeletion(tx, author, going)
    await leaveQueues(tx, missions)
    const { deletedAt, revisions } = await markDeleted(tx, missions)
    for (const mission of missions) {
      record(tx, author, mission, revisions)
      recordAudit(tx, context, actor, {
        action: 'mission.deleted',
        targetId: mission.id,
        projectId: mission.project_id,
        details: { displayId: displayIdOfMission(mission), title: mission.title },
      })
    }
    const deleted = missions.map((mission) => {
      return { id: mission.id, displayId: displayIdOfMission(mission), title: mission.title }
    })
    return { deleted, cancelledRuns, restorableUntil: restorableUntil(deletedAt) }
  })
}

async function lockNamed(
  tx: UnitOfWork,
  actor: Actor,
  refs: readonly string[],
): Promise<MissionRecord[]> {
  const named = new Map<string, string>()
  const called = await findCalledMissions(tx, actor.workspaceId, refs)
  // in the order of the call, so that the one that is refused does not tell whether others are there
  for (const ref of refs) {
    const mission = called.get(ref)
    if (!mission) throw notFound('mission', ref)
    authorize(actor, 'mission:delete', scopeOfMission(mission, ref))
    named.set(mission.id, ref)
  }
  const missions = await lockMissions(tx, actor.workspaceId, [...named.keys()])
  const ordered = [...named].toSorted(([one], [other]) => one.localeCompare(other))
  return ordered.map(([id, ref]) => {
    const mission = missions.get(id)
    if (!mission) throw notFound('mission', ref)
    return mission
  })
}

/** Those that take objectives with them. */
async function withObjectives(
  tx: Tx,
  missions: readonly MissionRecord[],
): Promise<readonly MissionRecord[]> {
  const rows = await tx
    .selectFrom('objectives')
    .select('mission_id')
    .distinct()
    .where('workspace_id', '=', missions[0]?.workspace_id ?? '')
    .where(
      'mission_id',
      'in',
      missions.map(({ id }) => id),
    )
    .where('deleted_at', 'is', null)
    .execute()
  return missions.filter(({ id }) => rows.some((row) => row.mission_id === id))
}

function resolve(
  missions: readonly MissionRecord[],
  going: readonly Going[],
  queued: Awaited<ReturnType<typeof listQueued>>,
) {
  return missions.map((mission) => ({
    displayId: displayIdOfMission(mission),
    title: mission.title,
    state: mission.status_label,
    running: going.some((one) => one.mission.id === mission.id && runOf(one) !== undefined),
    queued: queued.filter(({ mission_id }) => mission_id === mission.id).length,
  }))
}

/** Nothing of them waits in a queue any more. */
async function leaveQueues(tx: UnitOfWork, missions: readonly MissionRecord[]): Promise<void> {
  // the missions are locked, and with them what becomes of their objectives
  const waiting = await listObjectivesOf(
    tx,
    missions,
    sql`exists (select from run_queue_entries e
                 where e.workspace_id = o.workspace_id and e.mission_id = o.mission_id
                   and e.objective_id = o.id)`,
  )
  for (const one of waiting) await leaveQueue(tx, one)
}

/** Those that are there and of which this holds. */
async function listObjectivesOf(
  tx: Tx,
  missions: readonly MissionRecord[],
  condition: RawBuilder<unknown>,
): Promise<ObjectiveInMission[]> {
  const { rows } = await sql<ObjectiveRow>`
    select o.* from objectives o
     where o.workspace_id = ${missions[0]?.workspace_id}
       and o.mission_id = any(${missions.map(({ id }) => id)}::uuid[])
       and o.deleted_at is null and ${condition}
     order by o.mission_id, o.position`.execute(tx)
  const of = new Map(missions.map((mission) => [mission.id, mission]))
  return rows.flatMap((objective) => {
    const mission = of.get(objective.mission_id)
    return mission ? [{ mission, objective }] : []
  })
}

async function markDeleted(
  tx: UnitOfWork,
  missions: readonly MissionRecord[],
): Promise<{ deletedAt: Date; revisions: Revisions }> {
  const [first] = missions
  const ids = missions.map(({ id }) => id)
  await sql`
    update objectives
       set deleted_at = app.now(), deleted_with_mission = true, deleted_position = position,
           position = null, need = null, need_since = null, revision = revision + 1
     where workspace_id = ${first?.workspace_id} and mission_id = any(${ids}::uuid[])
       and deleted_at is null`.execute(tx)
  const { rows } = await sql<{ id: string; revision: number; deleted_at: Date }>`
    update missions
       set deleted_at = app.now(), updated_at = app.now(), pending_advance_delivery_id = null,
           revision = revision + 1
     where workspace_id = ${first?.workspace_id} and id = any(${ids}::uuid[])
    returning id, revision, deleted_at`.execute(tx)
  if (!rows[0] || !first) throw new Error('the missions are locked, so they are there')
  settleWhere(
    tx,
    first.workspace_id,
    sql`subject_id = any(array(
          select id from objectives
           where workspace_id = ${first.workspace_id} and mission_id = any(${ids}::uuid[])))`,
  )
  return { deletedAt: rows[0].deleted_at, revisions: revisionsOf(rows) }
}

/** By their ids: what ended before may have raised them, too. */
export type Revisions = ReadonlyMap<string, number>

export function revisionsOf(rows: readonly { id: string; revision: number }[]): Revisions {
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

function record(
  tx: UnitOfWork,
  author: Author,
  mission: MissionRecord,
  revisions: Revisions,
): void {
  recordEvent(tx, author, { mission }, { type: 'deleted', summary: 'The mission was deleted' })
  const revision = revisions.get(mission.id) ?? mission.revision
  recordChange(tx, { mission: { ...mission, revision } }, 'delete')
}
