import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import { notFound } from '../common/errors.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfEntry, seeQueues } from '../entities/run-queues/access.ts'
import { lockQueueOf, requireEntry, requireQueueRow, saveQueue } from './queries.ts'
import { type Entry, type Queue, grantTurn } from '../entities/run-queues/queue.ts'
import { viewWhole } from '../entities/run-queues/views.ts'

/** A person's word that a held entry takes its turn now, whether an advance is pending or not. Decision 35. */
export async function retryRunQueueEntry(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'retryRunQueueEntry'>,
): Promise<RouteOutput<'retryRunQueueEntry'>> {
  return inTransaction(context, async (tx) => {
    const found = await requireEntry(tx, actor.workspaceId, id)
    const at = await requireQueueRow(tx, actor.workspaceId, found.run_queue_id)
    authorize(actor, 'execution_request:create', scopeOfEntry(at, found))
    const locked = await lockQueueOf(tx, found)
    if (!locked) throw notFound('queue entry', id)
    refuseIfNotHeld(locked)
    refuseIfPausedByPerson(locked.queue)
    const granted = grantTurn(locked.queue, id, actor.userId)
    const { row } = await saveQueue(tx, locked.queue, granted, 'retry')
    const { entries, ...queue } = await viewWhole(tx, actor, row)
    const entry = entries.find((one) => one.id === id)
    if (!entry) throw notFound('queue entry', id)
    return { queue, entry }
  })
}

function refuseIfNotHeld({ queue, entry: { state } }: { queue: Queue; entry: Entry }): void {
  if (state === 'held') return
  throw new ServiceError(
    'invalid_transition',
    `This entry is ${state}; only a held one is retried.`,
    { state },
    seeQueues(queue),
  )
}

export function refuseIfPausedByPerson(queue: Queue): void {
  const { row } = queue
  if (row.paused_by === null) return
  throw new ServiceError(
    'queue_paused',
    `A person paused the queue ${row.name}, and a person lets it go on.`,
    { queueId: row.id, pausedBy: row.paused_by },
    seeQueues(queue),
  )
}
