import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordAudit } from '../audit/record.ts'
import { type Author, recordChange, recordEvent } from '../commit/records.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { lockMissions, lockObjectives } from '../lifecycle/locks.ts'
import { listQueued, refuseUnlessConfirmed } from './confirmation.ts'
import { restorableUntil } from '../common/restorable.ts'
import { type Revisions, revisionsOf } from './delete-mission.ts'
import { findMission } from '../entities/missions/queries.ts'
import { leaveQueue, lockQueuesOf } from '../run-queues/follow.ts'
import type { UseCase } from '../use-case.ts'
import { type Going, endForDeletion, lockGoing, runOf } from './end-for-deletion.ts'
import { closeGaps } from '../entities/objectives/positions.ts'
import { findCalledObjectives } from '../entities/objectives/named.ts'
import { type ObjectiveInMission, scopeOfObjective } from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import { ofObjectives, settleNotices } from '../notifications/settle.ts'

/** All that are named, or none. What follows them moves up, and nothing is launched by it. Decision 36. */
export async function deleteObjectives(
  context: UseCase,
  actor: Actor,
  { objectiveIds, missionId, ...confirmation }: RouteInput<'deleteObjectives'>,
): Promise<RouteOutput<'deleteObjectives'>> {
  return inTransaction(context, async (tx) => {
    const named = await lockNamed(tx, actor, objectiveIds, missionId)
    const going = await lockGoing(tx, named)
    const missions = named.map(({ mission }) => mission)
    const resolved = resolve(named, going, await listQueued(tx, missions))
    refuseUnlessConfirmed(confirmation, { what: 'objectives', resolved, going })
    const author: Author = { userId: actor.userId, role: 'person' }
    await lockQueuesOf(tx, missions)
    const cancelledRuns = await endForDeletion(tx, author, going)
    for (const one of named) await leaveQueue(tx, one)
    const { deletedAt, revisions } = await markDeleted(tx, named)
    for (const one of named) {
      record(tx, author, one, revisions)
      recordAudit(tx, context, actor, {
        action: 'objective.deleted',
        targetId: one.objective.id,
        projectId: one.mission.project_id,
        details: { displayId: displayIdOf(one.mission, one.objective), title: one.objective.title },
      })
    }
    const deleted = named.map(({ mission, objective }) => {
      return {
        id: objective.id,
        displayId: displayIdOf(mission, objective),
        title: objective.title,
      }
    })
    return { deleted, cancelledRuns, restorableUntil: restorableUntil(deletedAt) }
  })
}

/** Missions first, each kind in the order of its ids: two calls that name the same never wait in a circle. */
async function lockNamed(
  tx: UnitOfWork,
  actor: Actor,
  refs: readonly string[],
  missionRef: string | undefined,
): Promise<ObjectiveInMission[]> {
  const namedMission =
    missionRef === undefined ? undefined : await findMission(tx, actor.workspaceId, missionRef)
  const named = new Map<string, { ref: string; missionId: string }>()
  const called = await findCalledObjectives(tx, actor.workspaceId, refs)
  // in the order of the call, so that the one that is refused does not tell whether others are there
  for (const ref of refs) {
    const found = called.get(ref)
    if (!found) throw notFound('objective', ref)
    authorize(actor, 'objective:delete', scopeOfObjective(found, ref))
    // a mission that is another one's and one that is nowhere look the same
    if (missionRef !== undefined && namedMission?.id !== found.mission.id)
      throw notFound('objective', ref)
    named.set(found.objective.id, { ref, missionId: found.mission.id })
  }
  const { workspaceId } = actor
  const missionIds = new Set([...named.values()].map((one) => one.missionId))
  const missions = await lockMissions(tx, workspaceId, [...missionIds])
  const objectives = await lockObjectives(tx, workspaceId, [...named.keys()])
  const ordered = [...named].toSorted(([one], [other]) => one.localeCompare(other))
  return ordered.map(([id, { ref, missionId }]) => {
    const mission = missions.get(missionId)
    const objective = objectives.get(id)
    if (!mission || !objective) throw notFound('objective', ref)
    return { mission, objective }
  })
}

function resolve(
  named: readonly ObjectiveInMission[],
  going: readonly Going[],
  queued: Awaited<ReturnType<typeof listQueued>>,
) {
  return named.map(({ mission, objective }) => ({
    displayId: displayIdOf(mission, objective),
    title: objective.title,
    state: objective.state,
    running: going.some((one) => one.objective.id === objective.id && runOf(one) !== undefined),
    queued: queued.filter(({ objective_id }) => objective_id === objective.id).length,
  }))
}

async function markDeleted(
  tx: UnitOfWork,
  named: readonly ObjectiveInMission[],
): Promise<{ deletedAt: Date; revisions: Revisions }> {
  const workspaceId = named[0]?.mission.workspace_id ?? ''
  const ids = named.map(({ objective }) => objective.id)
  const { rows } = await sql<{ id: string; revision: number; deleted_at: Date }>`
    update objectives
       set deleted_at = app.now(), deleted_position = position, position = null,
           need = null, need_since = null, revision = revision + 1
     where workspace_id = ${workspaceId}
       and id = any(${ids}::uuid[])
    returning id, revision, deleted_at`.execute(tx)
  if (!rows[0]) throw new Error('the objectives are locked, so they are there')
  settleNotices(tx, ofObjectives, workspaceId, ids)
  await closeGaps(tx, workspaceId, [...new Set(named.map(({ mission }) => mission.id))])
  return { deletedAt: rows[0].deleted_at, revisions: revisionsOf(rows) }
}

function record(
  tx: UnitOfWork,
  author: Author,
  { mission, objective }: ObjectiveInMission,
  revisions: Revisions,
): void {
  recordEvent(
    tx,
    author,
    { objective },
    { type: 'deleted', summary: `${displayIdOf(mission, objective)} was deleted` },
  )
  const revision = revisions.get(objective.id) ?? objective.revision
  recordChange(tx, { objective: { ...objective, revision }, mission }, 'delete')
}
