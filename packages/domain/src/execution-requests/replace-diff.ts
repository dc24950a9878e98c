import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { publishReport } from './publish-report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/** What reports in one call are kept as; its patch is one text. */
export const wholeReport = 'whole'

/** What the run changed, as its supervisor saw it; replaces what was sent before. */
export async function replaceRunDiff(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'replaceRunDiff'>,
): Promise<RouteOutput<'replaceRunDiff'>> {
  const { id, leaseToken, complete, others, stat, ...diff } = input
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, leaseToken)
    await sql`
      delete from run_files
       where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
         and report = ${wholeReport}`.execute(tx)
    await sql`
      insert into run_files (workspace_id, execution_request_id, report, position, file_path,
                             additions, deletions)
      select ${request.workspace_id}, ${request.id}, ${wholeReport}, position - 1, f ->> 'filePath',
             (f ->> 'additions')::bigint, (f ->> 'deletions')::bigint
        from jsonb_array_elements(${JSON.stringify(stat)}::jsonb) with ordinality as given(f, position)`.execute(
      tx,
    )
    await publishReport(tx, request, { report: wholeReport, diff, complete, others })
    return {}
  })
}
