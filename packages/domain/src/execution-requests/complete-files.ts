import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import { validationFailed } from '../common/errors.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { publishReport } from './publish-report.ts'
import { lockRequest } from '../lifecycle/locks.ts'

/** The last part of a report of what a run changed: from now on it stands. Refused while a part is missing. */
export async function completeRunFiles(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'completeRunFiles'>,
): Promise<RouteOutput<'completeRunFiles'>> {
  const { id, leaseToken, report, files, patches, complete, others, ...diff } = input
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, id)
    authorizeReport(actor, request)
    requireLease(context.domain.keys, request, leaseToken)
    const { rows } = await sql<{ files: number; patches: number }>`
      select count(*)::int as files, count(patch_bytes)::int as patches from run_files
       where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
         and report = ${report}`.execute(tx)
    const found = rows[0] ?? { files: 0, patches: 0 }
    if (found.files !== files || found.patches !== patches) {
      const has = `this report has ${found.files} files and ${found.patches} patches by now`
      throw validationFailed('report', `${has}: send the parts that are missing`)
    }
    await publishReport(tx, request, { report, diff, complete, others })
    return {}
  })
}
