import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordChange, recordEvent } from '../commit/records.ts'
import { refuseIfRevised } from '../common/revision.ts'
import { reviseByEvent } from '../commit/revise-mission.ts'
import { inTransaction } from '../commit/transaction.ts'
import { lockMission } from '../lifecycle/locks.ts'
import { isStarted } from '../states/states.ts'
import { type MissionRecord, scopeOfMission } from '../entities/missions/queries.ts'
import { displayIdOfMission, viewMission } from '../entities/missions/views.ts'
import type { UseCase } from '../use-case.ts'
import { listObjectives } from '../entities/objectives/queries.ts'
import { displayIdOf, viewObjective } from '../entities/objectives/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** Replaces the order of all that has not started; whoever does not know all of it is answered what it is. */
export async function reorderFutureObjectives(
  context: UseCase,
  actor: Actor,
  { id, objectiveIds, expectedRevision }: RouteInput<'reorderFutureObjectives'>,
): Promise<RouteOutput<'reorderFutureObjectives'>> {
  return inTransaction(context, async (tx) => {
    const mission = await lockMission(tx, actor.workspaceId, id)
    authorize(actor, 'objective:update', scopeOfMission(mission, id))
    const future = await listFuture(tx, mission)
    refuseIfRevised(mission.revision, expectedRevision, () => ({
      mission: viewMission(mission),
      objectiveIds: future.map((one) => one.id),
    }))
    const wanted = requireWhole(mission, future, objectiveIds)
    const revision = await reorder(tx, actor, mission, { wanted, future })
    const objectives = await listObjectives(tx, mission)
    return {
      mission: viewMission({ ...mission, revision }),
      objectives: objectives.map((objective) => viewObjective(mission, objective)),
    }
  })
}

/** Puts one that has not started before all others that have not. The caller holds the mission's lock. */
export async function putFirst(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  objective: ObjectiveRow,
): Promise<ObjectiveRow> {
  const future = await listFuture(tx, mission)
  const others = future.filter(({ id }) => id !== objective.id)
  await reorder(tx, actor, mission, { wanted: [objective, ...others], future })
  return { ...objective, position: future[0]?.position ?? objective.position }
}

async function listFuture(tx: Tx, mission: MissionRecord): Promise<ObjectiveRow[]> {
  return (await listObjectives(tx, mission)).filter(({ state }) => !isStarted(state))
}

function requireWhole(
  mission: MissionRecord,
  future: readonly ObjectiveRow[],
  refs: readonly string[],
): ObjectiveRow[] {
  const byRef = new Map(
    future.flatMap((one) => [[one.id, one] as const, [displayIdOf(mission, one), one] as const]),
  )
  const wanted = refs.flatMap((ref) => byRef.get(ref) ?? [])
  const unknown = refs.filter((ref) => !byRef.has(ref))
  const missing = future.filter((one) => !wanted.includes(one)).map(({ id }) => id)
  const now = future.map((one) => displayIdOf(mission, one)).join(', ') || 'empty'
  const isOnce = new Set(wanted).size === wanted.length
  if (isOnce && unknown.length === 0 && missing.length === 0) return wanted
  const currentOrder = future.map(({ id }) => id)
  throw new ServiceError(
    'order_conflict',
    `Nothing was reordered: an order names each objective that has not started, and each once. Now it is: ${now}.`,
    { currentOrder, missing, unknown },
    { next: { operation: 'getMission', params: { id: displayIdOfMission(mission) } } },
  )
}

interface Order {
  wanted: readonly ObjectiveRow[]
  /** The same as they are ordered now. */
  future: readonly ObjectiveRow[]
}

/** Answers the revision of the mission. */
async function reorder(
  tx: UnitOfWork,
  actor: Actor,
  mission: MissionRecord,
  { wanted, future }: Order,
): Promise<number> {
  if (wanted.every((one, index) => one.id === future[index]?.id)) return mission.revision
  const from = future[0]?.position ?? 1
  await sql`
    update objectives o set position = ${from} - 1 + ordered.index
      from unnest(${wanted.map(({ id }) => id)}::uuid[]) with ordinality as ordered(id, index)
     where o.workspace_id = ${mission.workspace_id} and o.id = ordered.id
       and o.position <> ${from} - 1 + ordered.index`.execute(tx)
  recordEvent(
    tx,
    { userId: actor.userId, role: 'person' },
    { mission },
    {
      type: 'objective_changed',
      summary: `New order: ${wanted.map((one) => displayIdOf(mission, one)).join(', ')}`,
    },
  )
  for (const objective of wanted) {
    recordChange(tx, { objective, mission }, 'reorder', { state: objective.state })
  }
  return reviseByEvent(tx, mission)
}
