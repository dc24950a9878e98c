import type { RouteInput } from '@svc/contracts/rest'
import type { StoredDiff } from '@svc/contracts/run-changes'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { recordLastCommits } from './record-branches.ts'

interface WholeReport {
  report: string
  diff: StoredDiff
  /** It names every file that the run has changed on its branch. */
  complete: boolean
  others: RouteInput<'replaceRunDiff'>['others']
}

/** Puts a report, all of whose files are there, in the place of the one before; what others were begun are dropped. */
export async function publishReport(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  { report, diff, complete, others }: WholeReport,
): Promise<void> {
  const { workspace_id, id, mission_id, objective_id } = request
  await sql`
    insert into run_diffs (workspace_id, execution_request_id, mission_id, objective_id, diff, report,
                           files, additions, deletions)
    select ${workspace_id}, ${id}, ${mission_id}, ${objective_id}, ${JSON.stringify(diff)}, ${report},
           count(*), sum(additions), sum(deletions)
      from run_files
     where workspace_id = ${workspace_id} and execution_request_id = ${id} and report = ${report}
    on conflict (workspace_id, execution_request_id) do update
       set diff = excluded.diff, report = excluded.report, files = excluded.files,
           additions = excluded.additions, deletions = excluded.deletions, updated_at = app.now()`.execute(
    tx,
  )
  await sql`
    delete from run_files
     where workspace_id = ${workspace_id} and execution_request_id = ${id} and report <> ${report}`.execute(
    tx,
  )
  if (complete) await dropTakenBack(tx, request, report)
  recordLastCommits(tx, request, { headSha: diff.headSha, others })
}

/** A changed file that the run reported and that its last diff does not hold was taken back before the run ended. */
async function dropTakenBack(tx: Tx, request: ExecutionRequestRow, report: string): Promise<void> {
  await sql`
    delete from changed_files f
     where f.workspace_id = ${request.workspace_id} and f.mission_id = ${request.mission_id}
       and f.objective_id = ${request.objective_id}
       and f.file_path <> all(array(
             select file_path from run_files
              where workspace_id = ${request.workspace_id} and execution_request_id = ${request.id}
                and report = ${report}))
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
