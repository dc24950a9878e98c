import { limits } from '@svc/contracts/limits'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import { sql } from 'kysely'
import type { Actor } from '../common/actor.ts'
import type { UseCase } from '../use-case.ts'
import { requireReport } from './changes-report.ts'

interface Row {
  filePath: string
  additions: number | null
  deletions: number | null
  patch: string | null
  isLeftOut: boolean
}

/** What fits into one answer: the first files, and whole patches of the first of them. */
export async function getRunDiff(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'getRunDiff'>,
): Promise<RouteOutput<'getRunDiff'>> {
  const { request, report, files, diff } = await requireReport(domain, actor, input.id)
  const { rows } = await sql<Row>`
    select file_path as "filePath", additions, deletions,
           case when sum(patch_bytes) over up_to <= ${limits.diffPatchBytes} then patch end as patch,
           coalesce(sum(patch_bytes) over up_to > ${limits.diffPatchBytes}, false) as "isLeftOut"
      from run_files
     where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
       and report = ${report}
    window up_to as (order by position)
     order by position limit ${limits.diffFiles}`.execute(domain.db)
  const patch = diff.patch ?? rows.map((row) => row.patch ?? '').join('')
  return {
    diff: {
      ...diff,
      stat: rows.map(({ filePath, additions, deletions }) => ({ filePath, additions, deletions })),
      ...(patch !== '' && { patch }),
      truncated: diff.truncated || files > rows.length || rows.some(({ isLeftOut }) => isLeftOut),
    },
  }
}
