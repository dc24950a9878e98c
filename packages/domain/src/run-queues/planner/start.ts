import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { RunQueueRow } from '@svc/db/tables'
import { authorize } from '../../access/authorize.ts'
import type { Actor } from '../../common/actor.ts'
import { inTransaction } from '../../commit/transaction.ts'
import { notFound } from '../../common/errors.ts'
import { viewRequest } from '../../entities/execution-requests/views.ts'
import { lockMission, lockObjectiveOf } from '../../lifecycle/locks.ts'
import { inheritChoice } from '../../entities/objectives/launch-config.ts'
import { scopeOfObjective } from '../../entities/objectives/queries.ts'
import { displayIdOf } from '../../entities/objectives/views.ts'
import type { UseCase } from '../../use-case.ts'
import { queueBusy } from '../define.ts'
import { readFacts } from './facts.ts'
import { launchEntry } from './launch-entry.ts'
import { scopeOfQueue, seeQueues } from '../../entities/run-queues/access.ts'
import { readQueue, requireLockedQueue, requireQueueRow, saveQueue } from '../queries.ts'
import { type Entry, unpause, inFlight } from '../../entities/run-queues/queue.ts'
import { viewWhole } from '../../entities/run-queues/views.ts'
import type { UnitOfWork } from '../../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'

/** Another call changed what is first while this one waited for its turn. */
class Overtaken extends Error {}

const tries = 3

/** Launches the first waiting entry for whoever calls and ends a pause; or refuses as a launch does, and changes nothing. */
export async function startRunQueue(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'startRunQueue'>,
): Promise<RouteOutput<'startRunQueue'>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(context, (tx) => startFirst(tx, actor, id))
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === tries) throw unlessOvertaken(error)
    }
  }
}

function unlessOvertaken(error: unknown): unknown {
  if (!(error instanceof Overtaken)) return error
  return new ServiceError('unavailable', 'The queue changes just now. Try again in a moment.')
}

async function startFirst(
  tx: UnitOfWork,
  actor: Actor,
  id: string,
): Promise<RouteOutput<'startRunQueue'>> {
  const seen = await requireQueueRow(tx, actor.workspaceId, id)
  authorize(actor, 'execution_request:create', scopeOfQueue(seen))
  const first = await findFirst(tx, seen)
  const mission = await lockMission(tx, actor.workspaceId, first.mission_id)
  const objective = await lockObjectiveOf(tx, mission, first.objective_id)
  const queue = await requireLockedQueue(tx, actor.workspaceId, id)
  if (inFlight(queue)) throw queueBusy(queue)
  if (!objective || queue.entries.find(isWaiting)?.id !== first.id) throw new Overtaken()
  authorize(
    actor,
    'execution_request:create',
    scopeOfObjective({ mission, objective }, objective.id),
  )
  const before = (await readFacts(tx, queue)).entries.get(first.id)?.before
  const choice = inheritChoice(objective, before)
  if (!choice) throw noAgent(displayIdOf(mission, objective))
  await saveQueue(tx, queue, unpause(queue), 'start')
  const order = { mission, objective, choice, requestedBy: actor.userId }
  const request = await launchEntry(tx, order)
  const row = await requireQueueRow(tx, actor.workspaceId, id)
  return {
    queue: await viewWhole(tx, actor, row),
    executionRequest: await viewRequest(tx, actor, request),
  }
}

async function findFirst(tx: Tx, row: RunQueueRow): Promise<Entry> {
  const queue = await readQueue(tx, row.workspace_id, row.id)
  if (!queue) throw notFound('run queue', row.id)
  if (inFlight(queue)) throw queueBusy(queue)
  const first = queue.entries.find(isWaiting)
  if (first) return first
  throw new ServiceError(
    'invalid_transition',
    `Nothing waits in the queue ${row.name}: add an objective, or retry a held entry.`,
    { queueId: row.id },
    seeQueues(queue),
  )
}

function isWaiting({ state }: Entry): boolean {
  return state === 'waiting'
}

function noAgent(id: string): ServiceError {
  return new ServiceError(
    'no_agent',
    `Neither ${id} nor a run delivered before it in its mission names an agent.`,
    undefined,
    { next: { operation: 'updateObjective', params: { id, assigned_agent: '<key>' } } },
  )
}
