import type { AssignedBranches, RecordedBranch } from '@svc/contracts/assigned-branches'
import type { ExecutionRequestRow, MissionBranchRow, ObjectiveRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import type { MissionRecord } from '../missions/queries.ts'
import { displayIdOf } from '../objectives/views.ts'

type Found = MissionBranchRow & { label: string; is_gone: boolean } & (
    | { key: null; state: null }
    | Pick<ObjectiveRow, 'key' | 'state'>
  )

/** What is recorded of the mission's branches in a resource: in the one that this request is for, or in another. */
export function selectBranches(
  request: ExecutionRequestRow,
  resourceKey: string | null = request.resource_key,
): RawBuilder<Found> {
  return sql<Found>`
    select b.*, r.label, o.key, o.state,
           r.ephemeral and not exists (
             select from execution_requests p
              where p.workspace_id = b.workspace_id and p.id = b.execution_request_id
                and p.runner_id = b.runner_id and p.ended_at is null
                and p.lease_expires_at > app.now()) as is_gone
      from mission_branches b
      join runners r on r.workspace_id = b.workspace_id and r.id = b.runner_id
      left join lateral (
        select key, state from objectives
         where workspace_id = b.workspace_id and id = b.objective_id limit 1) o on true
     where b.workspace_id = ${request.workspace_id} and b.mission_id = ${request.mission_id}
       and b.resource_key = ${resourceKey}
     order by b.branch`
}

export function viewAssignedBranches(
  mission: MissionRecord,
  request: ExecutionRequestRow,
  rows: readonly Found[],
): AssignedBranches {
  const isAnothersWork = (row: Found) =>
    row.objective_id !== request.objective_id && row.last_sha !== row.start_sha
  return {
    mission: view(rows.find((row) => row.objective_id === null)),
    objective: view(rows.find((row) => row.objective_id === request.objective_id)),
    delivered: rows.flatMap((row) =>
      row.key !== null && row.state === 'complete' && isAnothersWork(row)
        ? [{ displayId: displayIdOf(mission, row), branch: row.branch, lastSha: row.last_sha }]
        : [],
    ),
    // a second try of the same request goes on with what its first one cut
    fromBase: request.from_base && rows.every((row) => row.execution_request_id !== request.id),
  }
}

function view(row: Found | undefined): RecordedBranch | null {
  if (row === undefined) return null
  return {
    branch: row.branch,
    startSha: row.start_sha,
    lastSha: row.last_sha,
    runnerId: row.runner_id,
    runnerLabel: row.label,
    ...(row.is_gone && { runnerGone: true }),
  }
}
