import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/** The first part of a report of what a run changed: its files. Those that are there already stay as they are. */
export async function reportRunFiles(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportRunFiles'>,
): Promise<RouteOutput<'reportRunFiles'>> {
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, input.id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, input.leaseToken)
    const { report, from, files } = input
    if (from === 0) await dropUnfinished(tx, request, report)
    await sql`
      insert into run_files (workspace_id, execution_request_id, report, position, file_path,
                             additions, deletions)
      select ${request.workspace_id}, ${request.id}, ${report}, ${from}::int + position - 1,
             f ->> 'filePath', (f ->> 'additions')::bigint, (f ->> 'deletions')::bigint
        from jsonb_array_elements(${JSON.stringify(files)}::jsonb) with ordinality as given(f, position)
      on conflict do nothing`.execute(tx)
    return {}
  })
}

/** One that was begun and never completed, such as by a supervisor that was lost. The one that stands is not touched. */
async function dropUnfinished(
  tx: Tx,
  { workspace_id, id }: ExecutionRequestRow,
  report: string,
): Promise<void> {
  await sql`
    delete from run_files
     where workspace_id = ${workspace_id} and execution_request_id = ${id} and report <> ${report}
       and report is distinct from (
             select report from run_diffs
              where workspace_id = ${workspace_id} and execution_request_id = ${id})`.execute(tx)
}
