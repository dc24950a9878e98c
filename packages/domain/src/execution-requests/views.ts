import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { sql } from 'kysely'

export async function viewRequest(
  db: Queryable,
  request: ExecutionRequestRow,
): Promise<ExecutionRequest> {
  const [view] = await viewRequests(db, [request])
  if (!view) throw new Error('a request has exactly one view')
  return view
}

export async function viewRequests(
  db: Queryable,
  requests: readonly ExecutionRequestRow[],
): Promise<ExecutionRequest[]> {
  if (requests.length === 0) return []
  const { rows } = await sql<{ id: string; label: string | null; session_id: string | null }>`
    select e.id, r.label,
           (select s.id from agent_sessions s
             where s.workspace_id = e.workspace_id and s.execution_request_id = e.id
             order by s.id desc limit 1) as session_id
      from execution_requests e
      left join runners r on r.workspace_id = e.workspace_id and r.id = e.runner_id
     where e.workspace_id = ${requests[0]?.workspace_id}
       and e.id = any(${requests.map((request) => request.id)})`.execute(db)
  const linked = new Map(rows.map((row) => [row.id, row]))
  return requests.map((request) => view(request, linked.get(request.id)))
}

function view(
  request: ExecutionRequestRow,
  linked: { label: string | null; session_id: string | null } | undefined,
): ExecutionRequest {
  return {
    id: request.id,
    projectId: request.project_id,
    missionId: request.mission_id,
    objectiveId: request.objective_id,
    kind: request.kind,
    status: request.status,
    outcome: request.outcome,
    source: request.source,
    agent: request.agent,
    resourceKey: request.resource_key,
    config: request.config,
    attempt: request.attempt,
    generation: request.generation,
    runnerId: request.runner_id,
    runnerLabel: linked?.label ?? null,
    sessionId: linked?.session_id ?? null,
    workingDirectory: request.prepared?.workingDirectory ?? null,
    branch: request.prepared?.branch ?? null,
    warnings: request.prepared?.warnings ?? [],
    failure: request.failure,
    lastRelease: request.last_release && { detail: null, ...request.last_release },
    exit: request.exit,
    runAfter: request.run_after.toISOString(),
    leaseExpiresAt: request.lease_expires_at?.toISOString() ?? null,
    attachBy: request.attach_by?.toISOString() ?? null,
    createdAt: request.created_at.toISOString(),
    updatedAt: request.updated_at.toISOString(),
    endedAt: request.ended_at?.toISOString() ?? null,
  }
}
