import { isInFlight } from '@svc/contracts/run-queue'
import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { isNotStarted } from '@svc/contracts/states'
import type { ObjectiveRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound, validationFailed } from '../common/errors.ts'
import { newId } from '../common/ids.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { refuseIfClosed } from '../entities/objectives/launch-refusals.ts'
import {
  type ObjectiveInMission,
  scopeOfObjective,
  selectObjectiveId,
} from '../entities/objectives/queries.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import type { UseCase } from '../use-case.ts'
import { refuseIfFull } from './define.ts'
import { entryInFlight, scopeOfQueue } from '../entities/run-queues/access.ts'
import { chooseQueueRow, findEntryOf, lockQueues, saveQueue } from './queries.ts'
import {
  type Entry,
  type QueuePosition,
  type Queue,
  place,
  putOff,
  remove,
} from '../entities/run-queues/queue.ts'
import { viewWhole } from '../entities/run-queues/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

type Input = RouteInput<'queueObjective'> & { missionId?: string | undefined }

/** Puts an objective into a queue of its project, or moves it within or between them. It launches nothing. */
export async function queueObjective(
  context: UseCase,
  actor: Actor,
  input: Input,
): Promise<RouteOutput<'queueObjective'>> {
  const ref = input.objectiveId
  return inTransaction(context, async (tx) => {
    const { workspaceId } = actor
    const found = await lockMissionAndObjective(tx, workspaceId, ref, input.missionId)
    const { mission, objective } = found
    authorize(actor, 'execution_request:create', scopeOfObjective(found, ref))
    const { target, present } = await lockTarget(tx, found, input.queue)
    authorize(actor, 'execution_request:create', scopeOfQueue(target.row, input.queue))
    if (present && isInFlight(present.entry)) throw entryInFlight(present.entry)
    const entry = present?.entry ?? (await enter(tx, actor, { mission, objective, target }))

    const isMove = present?.queue.row.id !== target.row.id
    const where = await namedPosition(tx, actor, target, input)
    if (typeof where === 'object' && 'after' in where && where.after === entry.id) {
      throw validationFailed('after', 'name another objective than the one that is placed')
    }
    if (isMove) refuseIfFull(target, 1)
    if (present && isMove) {
      await saveQueue(tx, present.queue, remove(present.queue, entry.id), 'move')
    }
    const stays = where === undefined && !isMove
    const mine = { ...entry, run_queue_id: target.row.id }
    const placed = stays ? target : place(target, mine, where ?? 'last')
    const judged =
      present === undefined && objective.blank ? putOff(placed, entry.id, 'no_instruction') : placed
    const { row } = await saveQueue(tx, target, judged, present ? 'move' : 'add')
    const queue = await viewWhole(tx, actor, row)
    const added = queue.entries.find((one) => one.id === entry.id)
    if (!added) throw notFound('queue entry', entry.id)
    return { queue, entry: added }
  })
}

/** The queue that is meant, and the one that it is in, if it is in one. */
async function lockTarget(
  tx: Tx,
  { mission, objective }: ObjectiveInMission,
  ref: string | undefined,
): Promise<{ target: Queue; present: { queue: Queue; entry: Entry } | undefined }> {
  const { workspace_id, project_id: id } = mission
  const entry = await findEntryOf(tx, objective)
  const named = ref === undefined && entry ? entry.run_queue_id : undefined
  const chosen = named ?? (await chooseQueueRow(tx, { workspace_id, id }, ref)).id
  const ids = entry ? [chosen, entry.run_queue_id] : [chosen]
  const queues = await lockQueues(tx, workspace_id, ids)
  const target = queues.get(chosen)
  const queue = entry && queues.get(entry.run_queue_id)
  const now = queue?.entries.find((one) => one.id === entry?.id)
  // its queue was deleted meanwhile, and it went to another one
  if (entry && !now) return lockTarget(tx, { mission, objective }, ref)
  if (!target) throw notFound('run queue', ref ?? chosen)
  return { target, present: queue && now && { queue, entry: now } }
}

interface Entering {
  mission: MissionRecord
  objective: ObjectiveRow
  target: Queue
}

async function enter(
  tx: UnitOfWork,
  actor: Actor,
  { mission, objective, target }: Entering,
): Promise<Entry> {
  refuseIfStarted(mission, objective)
  refuseIfClosed(mission, objective)
  if (objective.state !== 'submitted') {
    await moveObjective(tx, 'queue', { mission, objective, set: { approval_refusal: null } })
  }
  return {
    workspace_id: actor.workspaceId,
    id: newId(),
    run_queue_id: target.row.id,
    mission_id: mission.id,
    objective_id: objective.id,
    position: target.entries.length + 1,
    state: 'waiting',
    reason: 'turn',
    waiting_on: null,
    attempt: 0,
    turn_granted_by: null,
    queued_by: actor.userId,
    execution_request_id: null,
    held_since: null,
    created_at: target.now,
  }
}

function refuseIfStarted(mission: MissionRecord, objective: ObjectiveRow): void {
  const { state } = objective
  if (isNotStarted(state)) return
  const id = displayIdOf(mission, objective)
  throw new ServiceError(
    'objective_not_launchable',
    `${id} is ${state}; only an objective that has not started can be queued.`,
    { state },
    { next: { operation: 'getObjective', params: { id } } },
  )
}

async function namedPosition(
  tx: Tx,
  { workspaceId }: Actor,
  target: Queue,
  { after, front, position }: Input,
): Promise<QueuePosition | undefined> {
  if (front === true) return { front }
  if (position !== undefined) return { position }
  if (after === undefined) return undefined
  const { rows } = await sql<{ id: string }>`
    select id from (${selectObjectiveId(tx, workspaceId, after)}) as o`.execute(tx)
  const before = target.entries.find((one) => one.objective_id === rows[0]?.id)
  if (!before) throw notFound('queue entry', after)
  return { after: before.id }
}
