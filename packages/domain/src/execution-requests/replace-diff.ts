import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { recordLastCommit } from '../branches/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from './lease.ts'
import { lockRequest } from './queries.ts'
import { authorizeReport } from './report.ts'

/** What the run changed, as its supervisor saw it; replaces what was sent before. */
export async function replaceRunDiff(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'replaceRunDiff'>,
): Promise<RouteOutput<'replaceRunDiff'>> {
  const { id, leaseToken, ...diff } = input
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, leaseToken)
    const stored = { diff: JSON.stringify(diff), updated_at: sql<Date>`app.now()` }
    await tx
      .insertInto('run_diffs')
      .values({
        ...stored,
        workspace_id: request.workspace_id,
        execution_request_id: request.id,
        mission_id: request.mission_id,
        objective_id: request.objective_id,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'execution_request_id']).doUpdateSet(stored),
      )
      .execute()
    await recordLastCommit(tx, request, diff.headSha)
    return {}
  })
}
