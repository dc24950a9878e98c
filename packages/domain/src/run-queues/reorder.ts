import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfQueue, seeQueues } from '../entities/run-queues/access.ts'
import { requireLockedQueue, saveQueue } from './queries.ts'
import { type OrderMismatch, type Queue, inFlight, reorder } from '../entities/run-queues/queue.ts'
import { viewWhole } from '../entities/run-queues/views.ts'

type Input = RouteInput<'orderRunQueueEntries'>

/** Why an order was not applied, with the one that stands. */
export interface OrderConflict extends OrderMismatch {
  currentOrder: string[]
  inFlightEntryId: string | null
  revision: number
}

/** Every live entry once, in the new order; or nothing changes, and the answer is the order that stands. */
export async function orderRunQueueEntries(
  context: UseCase,
  actor: Actor,
  { id, orderedEntryIds, expectedRevision }: Input,
): Promise<RouteOutput<'orderRunQueueEntries'>> {
  return inTransaction(context, async (tx) => {
    const queue = await requireLockedQueue(tx, actor.workspaceId, id)
    authorize(actor, 'execution_request:create', scopeOfQueue(queue.row))
    const ordered = reorder(queue, orderedEntryIds)
    if ('missing' in ordered) {
      const why = 'it must name every live entry exactly once'
      throw orderConflict(queue, ordered, `${why}. ${await orderNow(tx, actor, queue)}`)
    }
    const { revision } = queue.row
    if (expectedRevision !== undefined && expectedRevision !== revision) {
      const why = `the queue is at revision ${revision}, no longer at ${expectedRevision}`
      const fits = { missing: [], unknown: [] }
      throw orderConflict(queue, fits, `${why}. ${await orderNow(tx, actor, queue)}`)
    }
    // whoever meant another order is told whose this one is
    const more = { byId: actor.userId, byName: actor.userName, name: queue.row.name }
    const { row } = await saveQueue(tx, queue, ordered, { operation: 'order', more })
    return { queue: await viewWhole(tx, actor, row) }
  })
}

async function orderNow(tx: Tx, actor: Actor, { row }: Queue): Promise<string> {
  const { entries } = await viewWhole(tx, actor, row)
  return `Now it is: ${entries.map(({ displayId }) => displayId).join(', ') || 'empty'}.`
}

function orderConflict(queue: Queue, mismatch: OrderMismatch, why: string): ServiceError {
  const details: OrderConflict = {
    currentOrder: queue.entries.map((one) => one.id),
    inFlightEntryId: inFlight(queue)?.id ?? null,
    ...mismatch,
    revision: queue.row.revision,
  }
  return new ServiceError(
    'order_conflict',
    `The order was not changed: ${why}`,
    { ...details },
    seeQueues(queue),
  )
}
