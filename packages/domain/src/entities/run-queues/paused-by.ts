import { type PausedQueue, inFlightStates } from '@svc/contracts/run-queue'
import type { Queryable } from '@svc/db/database'
import type { ObjectiveRow } from '@svc/db/tables'

/** The queue that is paused when the objective's run ends without a delivery: the one that launched it. */
export async function findPausedBy(
  db: Queryable,
  { workspace_id, id }: Pick<ObjectiveRow, 'workspace_id' | 'id'>,
): Promise<PausedQueue | null> {
  const found = await db
    .selectFrom('run_queue_entries as e')
    .innerJoin('run_queues as q', (join) =>
      join.onRef('q.workspace_id', '=', 'e.workspace_id').onRef('q.id', '=', 'e.run_queue_id'),
    )
    .select(['q.id', 'q.name'])
    .where('e.workspace_id', '=', workspace_id)
    .where('e.objective_id', '=', id)
    .where('e.state', 'in', inFlightStates)
    .where('q.paused_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}
