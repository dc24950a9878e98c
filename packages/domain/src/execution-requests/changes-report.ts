import { ServiceError } from '@svc/contracts/errors'
import type { RunChanges } from '@svc/contracts/run-files'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import type { Domain } from '../domain.ts'
import { requireRequest, scopeOfRequest } from '../entities/execution-requests/queries.ts'

/** The report of a run that stands, and what is said of all of it. */
export async function requireReport({ db }: Domain, actor: Actor, id: string) {
  const request = await requireRequest(db, actor.workspaceId, id)
  authorize(actor, 'mission:read', scopeOfRequest(request, id))
  const row = await db
    .selectFrom('run_diffs')
    .select(['diff', 'report', 'files', 'additions', 'deletions'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('execution_request_id', '=', request.id)
    .executeTakeFirst()
  if (row === undefined || row.report === null) {
    throw new ServiceError(
      'not_found',
      `Run ${request.id} has uploaded no changes yet; they come when its agent has ended.`,
    )
  }
  // columns of earlier rows are not part of what is shown
  const { baseSha, headSha, truncated, dirty, patch } = row.diff
  const diff = { baseSha, headSha, truncated, dirty, ...(patch !== undefined && { patch }) }
  return { ...row, request, diff, report: row.report, files: row.files ?? 0 }
}

export type Report = Awaited<ReturnType<typeof requireReport>>

export function viewChanges({ report, files, additions, deletions, diff }: Report): RunChanges {
  const { baseSha, headSha, truncated, dirty } = diff
  return {
    report,
    baseSha,
    headSha,
    files,
    additions: additions ?? 0,
    deletions: deletions ?? 0,
    truncated,
    dirty,
  }
}
