import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { placeOfQueue } from './place.ts'
import { requireLockedQueue, saveQueue } from './queries.ts'
import { type Misfit, type Queue, inFlight, reorder } from './queue.ts'
import { viewWhole } from './views.ts'

type Input = RouteInput<'orderRunQueueEntries'>

/** Why an order was not applied, with the one that stands. */
export interface OrderConflict extends Misfit {
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
    authorize(actor, 'execution_request:create', placeOfQueue(queue.row))
    const ordered = reorder(queue, orderedEntryIds)
    if ('missing' in ordered) throw orderConflict(queue, ordered)
    if (expectedRevision !== undefined && expectedRevision !== queue.row.revision) {
      throw orderConflict(queue, { missing: [], unknown: [] })
    }
    const { row } = await saveQueue(tx, queue, ordered, 'order')
    return { queue: await viewWhole(tx, actor, row) }
  })
}

function orderConflict(queue: Queue, misfit: Misfit): ServiceError {
  const details: OrderConflict = {
    currentOrder: queue.entries.map((one) => one.id),
    inFlightEntryId: inFlight(queue)?.id ?? null,
    ...misfit,
    revision: queue.row.revision,
  }
  return new ServiceError(
    'order_conflict',
    'The order was not changed: it must name every live entry exactly once, as of the present revision.',
    { ...details },
    { next: { operation: 'listRunQueues', params: { id: queue.row.project_id } } },
  )
}
