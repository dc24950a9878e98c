import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { scopeOfQueue } from '../entities/run-queues/access.ts'
import { requireLockedQueue, saveQueue } from './queries.ts'
import { type Queue, unpause, pauseBy } from '../entities/run-queues/queue.ts'
import { viewAlone } from '../entities/run-queues/views.ts'

/** What runs goes on; nothing more is launched from the queue, and its pending advance waits. */
export async function pauseRunQueue(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'pauseRunQueue'>,
): Promise<RouteOutput<'pauseRunQueue'>> {
  return turn(context, actor, { id, how: (queue) => pauseBy(queue, actor.userId) })
}

export async function resumeRunQueue(
  context: UseCase,
  actor: Actor,
  { id }: RouteInput<'resumeRunQueue'>,
): Promise<RouteOutput<'resumeRunQueue'>> {
  return turn(context, actor, { id, how: unpause })
}

async function turn(
  context: UseCase,
  actor: Actor,
  { id, how }: { id: string; how: (queue: Queue) => Queue },
): Promise<RouteOutput<'pauseRunQueue'>> {
  return inTransaction(context, async (tx) => {
    const queue = await requireLockedQueue(tx, actor.workspaceId, id)
    authorize(actor, 'execution_request:create', scopeOfQueue(queue.row))
    const after = how(queue)
    const operation = after.row.paused_at === null ? 'resume' : 'pause'
    const { row } = await saveQueue(tx, queue, after, operation)
    return { queue: await viewAlone(tx, actor, row) }
  })
}
