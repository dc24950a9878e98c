import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { recordLastCommits } from './record-branches.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/** What the run changed, as its supervisor saw it; replaces what was sent before. */
export async function replaceRunDiff(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'replaceRunDiff'>,
): Promise<RouteOutput<'replaceRunDiff'>> {
  const { id, leaseToken, complete, others, ...diff } = input
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
    if (complete) await dropTakenBack(tx, request, diff.stat)
    await recordLastCommits(tx, request, { headSha: diff.headSha, others })
    return {}
  })
}

/** A changed file that the run reported and that its last diff does not hold was taken back before the run ended. */
async function dropTakenBack(
  tx: Tx,
  request: ExecutionRequestRow,
  stat: RouteInput<'replaceRunDiff'>['stat'],
): Promise<void> {
  await sql`
    delete from changed_files f
     where f.workspace_id = ${request.workspace_id} and f.mission_id = ${request.mission_id}
       and f.objective_id = ${request.objective_id}
       and f.file_path <> all(${stat.map(({ filePath }) => filePath)}::text[])
       -- a file of another resource stays: the diff may hold only some of those, though it holds all of its own resource
       and f.file_path !~ '^[a-z0-9][a-z0-9._-]{0,62}:'
       -- nor is one that an earlier run of the objective has committed: this diff begins after it
       and not exists (
             select from ledger_batches b
               join agent_sessions s on s.workspace_id = b.workspace_id and s.id = b.session_id
              where b.workspace_id = f.workspace_id and b.objective_id = f.objective_id
                and s.execution_request_id is distinct from ${request.id}
                and b.items @> jsonb_build_array(jsonb_build_object('filePath', f.file_path)))
    `.execute(tx)
}
