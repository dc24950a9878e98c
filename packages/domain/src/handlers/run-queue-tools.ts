import { isServiceError } from '@svc/contracts/errors'
import type { ToolInput, ToolOutput } from '@svc/contracts/mcp/tools'
import { type RunQueue, type RunQueueEntry, isInFlight } from '@svc/contracts/run-queue'
import type { Actor } from '../common/actor.ts'
import { queueObjective } from '../run-queues/add.ts'
import {
  createRunQueue,
  deleteRunQueue,
  orderRunQueues,
  updateRunQueue,
} from '../run-queues/define.ts'
import { dequeueObjective } from '../run-queues/leave.ts'
import { readQueues } from '../run-queues/list.ts'
import { type OrderConflict, orderRunQueueEntries } from '../run-queues/reorder.ts'
import { retryRunQueueEntry } from '../run-queues/retry.ts'
import type { WholeQueue } from '../entities/run-queues/views.ts'
import { pageOfEntries } from './queue-page.ts'
import type { UseCase } from '../use-case.ts'

export async function listRunQueuesTool(
  context: UseCase,
  actor: Actor,
  { projectId, view, ...page }: ToolInput<'svc_list_run_queues'>,
): Promise<ToolOutput<'svc_list_run_queues'>> {
  const { queues } = await readQueues(context, actor, { id: projectId })
  if (view === 'full') return pageOfEntries(queues, page, (entry) => entry)
  const { queues: paged, ...more } = pageOfEntries(queues, page, entryLineOf)
  return {
    queues: paged.map(({ entries, ...queue }) => ({ ...lineOf(queue), entries })),
    ...more,
  }
}

/** An order that does not fit is an answer here, with the one that stands. spec: Errors, row 3 */
export async function reorderRunQueueTool(
  context: UseCase,
  actor: Actor,
  { queueId, ...order }: ToolInput<'svc_reorder_run_queue'>,
): Promise<ToolOutput<'svc_reorder_run_queue'>> {
  try {
    const { queue } = await orderRunQueueEntries(context, actor, { id: queueId, ...order })
    return {
      applied: true,
      currentOrder: queue.entries.map((entry) => entry.id),
      inFlightEntryId: queue.entries.find(isInFlight)?.id ?? null,
      missing: [],
      unknown: [],
      revision: queue.revision,
      reason: null,
    }
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'order_conflict') throw error
    // the details of this refusal, which the use case types
    const conflict = error.details as unknown as OrderConflict
    return { applied: false, ...conflict, reason: error.message }
  }
}

export async function queueObjectiveTool(
  context: UseCase,
  actor: Actor,
  { remove, ...input }: ToolInput<'svc_queue_objective'>,
): Promise<ToolOutput<'svc_queue_objective'>> {
  if (remove === true) return placedIn(await dequeueObjective(context, actor, input))
  const { queue, entry } = await queueObjective(context, actor, input)
  return { ...placedIn(queue), entry: entryLineOf(entry) }
}

function placedIn(queue: WholeQueue) {
  const order = queue.entries.map(({ id, displayId }) => ({ id, displayId }))
  return { queue: lineOf(queue), order }
}

type Manage = ToolInput<'svc_manage_run_queue'>

/** The contract has seen to it that each action has what it needs. */
export async function manageRunQueueTool(
  context: UseCase,
  actor: Actor,
  input: Manage,
): Promise<ToolOutput<'svc_manage_run_queue'>> {
  const { projectId = '', queueId: id = '', name = '', queueIds = [], entryId = '' } = input
  switch (input.action) {
    case 'create': {
      const { queue } = await createRunQueue(context, actor, { id: projectId, name })
      return { queues: [lineOf(queue)] }
    }
    case 'update': {
      const { name: named, paused } = input
      const { queue } = await updateRunQueue(context, actor, { id, name: named, paused })
      return { queues: [lineOf(queue)] }
    }
    case 'delete': {
      await deleteRunQueue(context, actor, { id, moveEntriesTo: input.moveEntriesTo })
      return { queues: [] }
    }
    case 'reorder_queues': {
      const { queues } = await orderRunQueues(context, actor, { id: projectId, queueIds })
      return { queues: queues.map(lineOf) }
    }
    case 'retry_entry': {
      const { queue, entry } = await retryRunQueueEntry(context, actor, { id: entryId })
      return { queues: [lineOf(queue)], entry: entryLineOf(entry) }
    }
  }
}

function lineOf({ id, name, position, isDefault, state, pauseReason, revision }: RunQueue) {
  return { id, name, position, isDefault, state, pauseReason, revision }
}

function entryLineOf({ id, objectiveId, displayId, title, state, reason }: RunQueueEntry) {
  return { id, objectiveId, displayId, title, state, reason }
}
