import { isInFlight } from '@svc/contracts/run-queue'
import type { RouteInput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import { lockMissionAndObjective } from '../lifecycle/lock-run.ts'
import { lockMission, lockObjectiveOf } from '../lifecycle/locks.ts'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { type ObjectiveInMission, scopeOfObjective } from '../entities/objectives/queries.ts'
import type { UseCase } from '../use-case.ts'
import { entryInFlight, scopeOfEntry } from '../entities/run-queues/access.ts'
import { findEntryOf, lockQueueOf, requireEntry, requireQueueRow, saveQueue } from './queries.ts'
import { type Queue, remove } from '../entities/run-queues/queue.ts'
import { type WholeQueue, viewWhole } from '../entities/run-queues/views.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

/** Takes an entry out that is not in flight; its objective is a draft again. */
export async function removeRunQueueEntry(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'removeRunQueueEntry'>,
): Promise<undefined> {
  return inTransaction(context, async (tx) => {
    const entry = await requireEntry(tx, actor.workspaceId, id)
    const row = await requireQueueRow(tx, actor.workspaceId, entry.run_queue_id)
    authorize(actor, 'execution_request:create', scopeOfEntry(row, entry))
    const mission = await lockMission(tx, actor.workspaceId, entry.mission_id)
    const objective = await lockObjectiveOf(tx, mission, entry.objective_id)
    if (!objective || !(await takeOut(tx, { mission, objective })))
      throw notFound('queue entry', id)
    return undefined
  })
}

interface Named {
  objectiveId: string
  missionId?: string | undefined
}

/** The same by its objective. Answers the queue that it was in; of one that is in none there is nothing to take out. */
export async function dequeueObjective(
  context: UseCase,
  actor: Actor,
  { objectiveId, missionId }: Named,
): Promise<WholeQueue> {
  return inTransaction(context, async (tx) => {
    const found = await lockMissionAndObjective(tx, actor.workspaceId, objectiveId, missionId)
    authorize(actor, 'execution_request:create', scopeOfObjective(found, objectiveId))
    const left = await takeOut(tx, found)
    if (!left) throw notFound('queue entry', objectiveId)
    return viewWhole(tx, actor, left.row)
  })
}

async function takeOut(
  tx: UnitOfWork,
  { mission, objective }: ObjectiveInMission,
): Promise<Queue | undefined> {
  const found = await lockQueueOf(tx, await findEntryOf(tx, objective))
  if (!found) return undefined
  const { queue, entry } = found
  if (isInFlight(entry)) throw entryInFlight(entry)
  if (objective.state === 'submitted') await moveObjective(tx, 'sendBack', { mission, objective })
  return saveQueue(tx, queue, remove(queue, entry.id), 'remove')
}
