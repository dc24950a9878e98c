import { describeRefusal } from '@svc/contracts/check'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RunnerStep } from '@svc/contracts/next-step'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { offered } from '../../access/offered.ts'
import type { Actor } from '../../common/actor.ts'

/** Paths of a machine are shown to the owner of its runner alone; null is nobody in particular. */
export type Viewer = Pick<Actor, 'userId' | 'permissions'> | null

export async function viewRequest(
  db: Queryable,
  viewer: Viewer,
  request: ExecutionRequestRow,
): Promise<ExecutionRequest> {
  const [view] = await viewRequests(db, viewer, [request])
  if (!view) throw new Error('a request has exactly one view')
  return view
}

export async function viewRequests(
  db: Queryable,
  viewer: Viewer,
  requests: readonly ExecutionRequestRow[],
): Promise<ExecutionRequest[]> {
  if (requests.length === 0) return []
  const [{ workspace_id: workspaceId } = { workspace_id: '' }] = requests
  const ids = requests.map((request) => request.id)
  const { rows } = await selectLinkedOf(workspaceId, sql`any(${ids}::uuid[])`).execute(db)
  const linked = new Map(rows.map((row) => [row.id, row]))
  return requests.map((request) => viewLinked(request, viewer, linked.get(request.id)))
}

/** An agent that nobody launched came after it, so that there is nothing of it to go on with. */
export function isWorkedOnSince(request: 'e' | 'r'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${request}.${name}`)
  return sql<boolean>`exists (
    select from agent_sessions s
     where s.workspace_id = ${column('workspace_id')} and s.objective_id = ${column('objective_id')}
       and s.execution_request_id is null and s.seq > ${column('seq')})`
}

/**
 * What a view of one request shows of other rows; an expression may find its id. Compared with one value and with no
 * array: of an array the planner expects ten rows, whatever it holds, and makes a plan for each call.
 */
export function selectLinked(
  workspaceId: string,
  id: string | RawBuilder<string>,
): RawBuilder<Linked> {
  return selectLinkedOf(workspaceId, sql`${id}`)
}

function selectLinkedOf(workspaceId: string, ids: RawBuilder<unknown>): RawBuilder<Linked> {
  return sql<Linked>`
    select e.id, r.label, r.user_id as owner_id, s.id as session_id, s.percent, s.note,
           ${isWorkedOnSince('e')} as worked_on_since
      from execution_requests e
      left join runners r on r.workspace_id = e.workspace_id and r.id = e.runner_id
      left join lateral (
        select a.id, a.percent, a.note from agent_sessions a
         where a.workspace_id = e.workspace_id and a.execution_request_id = e.id
         order by a.seq desc limit 1) s on true
     where e.workspace_id = ${workspaceId} and e.id = ${ids}`
}

export interface Linked {
  id: string
  owner_id: string | null
  label: string | null
  session_id: string | null
  percent: number | null
  note: string | null
  worked_on_since: boolean
}

function viewProgress({ percent, note }: Linked): ExecutionRequest['progress'] {
  return percent === null && note === null ? null : { percent, note }
}

/** Without `linked`: nobody has claimed it yet. */
export function viewLinked(
  request: ExecutionRequestRow,
  viewer: Viewer,
  linked: Linked | undefined,
): ExecutionRequest {
  const isOwner = viewer !== null && viewer.userId === linked?.owner_id
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
    onlyRunner: request.only_runner,
    config: request.config,
    attempt: request.attempt,
    generation: request.generation,
    runnerId: request.runner_id,
    runnerLabel: linked?.label ?? null,
    sessionId: linked?.session_id ?? null,
    workedOnSince: linked?.worked_on_since ?? false,
    goneOn: request.gone_on,
    progress: linked ? viewProgress(linked) : null,
    workingDirectory: isOwner ? (request.prepared?.workingDirectory ?? null) : null,
    branch: request.prepared?.branch ?? null,
    baseSha: request.prepared?.baseSha ?? null,
    otherBranches: (request.prepared?.others ?? []).map(({ resourceKey, branch, baseSha }) => ({
      resourceKey,
      branch,
      baseSha,
    })),
    warnings: [...(request.prepared?.warnings ?? []), ...(request.exit?.warnings ?? [])],
    failure: request.failure && withOffered(viewer, request.failure),
    lastRelease: request.last_release && {
      detail: null,
      until: null,
      ...withOffered(viewer, request.last_release),
    },
    exit: viewExit(request.exit),
    refusedFor: (request.checks && describeRefusal(request.checks)) ?? null,
    usage: viewUsed(request.used),
    seconds: request.used?.seconds ?? null,
    runAfter: request.run_after.toISOString(),
    leaseExpiresAt: request.lease_expires_at?.toISOString() ?? null,
    attachBy: request.attach_by?.toISOString() ?? null,
    cancelRequestedAt: request.cancel_requested_at?.toISOString() ?? null,
    createdAt: request.created_at.toISOString(),
    updatedAt: request.updated_at.toISOString(),
    endedAt: request.ended_at?.toISOString() ?? null,
  }
}

function withOffered<T extends { next?: RunnerStep }>(viewer: Viewer, { next, ...rest }: T) {
  const step = offered(viewer, next)
  return { ...rest, ...(step && { next: step }) }
}

/** Null where its agent said nothing. */
function viewUsed(used: ExecutionRequestRow['used']): ExecutionRequest['usage'] {
  const { seconds: _own, ...told } = used ?? { seconds: 0 }
  return Object.keys(told).length === 0 ? null : told
}

/** Its warnings follow those of the preparation. */
function viewExit(exit: ExecutionRequestRow['exit']): ExecutionRequest['exit'] {
  if (exit === null) return null
  const { exitCode, signal, cause, lastOutput, agentError = null, limit } = exit
  return { exitCode, signal, cause, lastOutput, agentError, limit: limit?.kind ?? null }
}
