import type { Assignment, ClaimAnswer } from '@svc/contracts/runner'
import type { RouteInput } from '@svc/contracts/rest'
import { closedTypes } from '@svc/contracts/states'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { requireProject } from '../projects/queries.ts'
import { recordEvent } from '../commit/records.ts'
import { hearRunner } from '../runners/hear.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UseCase, withoutKey } from '../use-case.ts'
import { buildAssignment } from './assignment.ts'
import { waitForRequests } from './claim-waiters.ts'
import { leaseTokenOf } from './lease.ts'
import { recordRequestChange } from '../lifecycle/move-request.ts'
import { endWaits } from './waits.ts'
import { isHeld } from '../lifecycle/states.ts'

type ClaimInput = RouteInput<'claimExecutionRequest'>

/**
 * The oldest queued request that this runner can take, or null after `waitSeconds`. A repeated `claimId` gets what the
 * first one got, lease included, while that generation stands. spec: States and transitions, row 2.
 */
export async function claimExecutionRequest(
  given: UseCase,
  actor: Actor,
  input: ClaimInput,
): Promise<ClaimAnswer> {
  authorize(actor, 'execution_request:claim')
  const context = withoutKey(given)
  const scope = await scopeOf(context, actor, input)
  let deadline: number | undefined
  let waited = false
  for (;;) {
    // what changed is told once; a run that is given back while this claim waits has seen it
    const asked = waited ? { ...input, changed: undefined } : input
    const { assignment, serverTime } = await tryClaim(context, actor, asked, scope)
    // The time is that of the wait: a first look that was slow on a busy machine takes nothing of it.
    const now = performance.now()
    deadline ??= now + input.waitSeconds * 1000
    const left = deadline - now
    if (assignment || left <= 0 || context.signal?.aborted) {
      return answer(context, assignment, waited, serverTime)
    }
    waited = true
    await waitForRequests(
      context.domain,
      { workspaceId: actor.workspaceId, projectIds: scope },
      left,
      context.signal,
    )
  }
}

/** The projects named ∩ the token's; null is every project of the workspace. */
async function scopeOf(
  { domain }: UseCase,
  actor: Actor,
  input: ClaimInput,
): Promise<readonly string[] | null> {
  const allowed = actor.token.projectIds
  if (input.projectIds === 'all') return allowed
  for (const id of input.projectIds) {
    await requireProject(domain.db, actor.workspaceId, id)
    if (allowed && !allowed.includes(id)) throw notFound('project', id)
  }
  return input.projectIds
}

function tryClaim(
  context: UseCase,
  actor: Actor,
  input: ClaimInput,
  scope: readonly string[] | null,
): Promise<{ assignment: Assignment | null; serverTime: string }> {
  return inTransaction(context, async (tx) => {
    const runner = await hearRunner(tx, actor, input)
    const serverTime = runner.last_heard_at.toISOString()
    if (input.changed) await endWaits(tx, runner, input.changed)
    const known = await findClaimed(tx, actor, input)
    const request = known ?? (await claimOldest(tx, context, runner, { ...input, scope }))
    const held = request?.runner_id === runner.id && isHeld(request)
    if (!held) return { assignment: null, serverTime }
    if (!known) recordClaim(tx, actor, runner, request)
    const assignment = await buildAssignment(tx, actor, request, input.device.fingerprint)
    return { assignment, serverTime }
  })
}

/** What this claim took when it came before; it takes nothing else, even if that run is over. */
function findClaimed(
  tx: Tx,
  actor: Actor,
  input: ClaimInput,
): Promise<ExecutionRequestRow | undefined> {
  return tx
    .selectFrom('execution_requests')
    .selectAll()
    .where('workspace_id', '=', actor.workspaceId)
    .where('claim_id', '=', input.claimId)
    .executeTakeFirst()
}

/** What a runner can take: requests for its agents, in these projects; null is every project of the workspace. */
type Offer = Pick<ClaimInput, 'claimId' | 'agents'> & { scope: readonly string[] | null }

async function claimOldest(
  tx: Tx,
  context: UseCase,
  runner: RunnerRow,
  { claimId, agents: offered, scope }: Offer,
): Promise<ExecutionRequestRow | undefined> {
  const agents = offered.map((agent) => agent.key)
  // One statement. SKIP LOCKED: a row that another claimer holds means the next one, never a wait or an empty answer.
  // It locks no mission, so a claim never waits for a launch or a delivery.
  const claimed = await sql<ExecutionRequestRow>`
    update execution_requests set
           status = 'claimed', generation = generation + 1, claim_id = ${claimId},
           runner_id = ${runner.id}, lease_renewed_at = app.now(),
           lease_expires_at = app.now() + make_interval(secs => ${context.domain.seconds.lease}),
           updated_at = app.now()
     where (workspace_id, id) = (
       select workspace_id, id from execution_requests e
        where status = 'queued' and run_after <= app.now() and workspace_id = ${runner.workspace_id}
          and (${scope}::uuid[] is null or project_id = any(${scope}::uuid[]))
          and agent = any(${agents}::text[])
          and coalesce((e.waits -> ${runner.id}::text ->> 'until')::timestamptz, '-infinity') <= app.now()
          and (resource_key is null or exists (
                select from runner_resources rr
                 where rr.workspace_id = e.workspace_id and rr.runner_id = ${runner.id}
                   and rr.project_id = e.project_id and rr.resource_key = e.resource_key
                   and rr.state = 'usable'))
          and not exists (
                select from missions m
                  join project_statuses s on s.workspace_id = m.workspace_id and s.id = m.status_id
                 where m.workspace_id = e.workspace_id and m.id = e.mission_id
                   and (m.deleted_at is not null or s.type = any(${closedTypes}::text[])))
          -- what a run left on the mission's branch is known once it has ended: until then only its runner goes on
          and not exists (
                select from mission_branches b
                  join execution_requests p
                    on p.workspace_id = b.workspace_id and p.id = b.execution_request_id
                 where b.workspace_id = e.workspace_id and b.mission_id = e.mission_id
                   and b.resource_key = e.resource_key
                   and (b.objective_id is null or b.objective_id = e.objective_id)
                   and p.status = 'launched' and p.outcome not in ('running', 'parked')
                   and p.ended_at is null and p.lease_expires_at > app.now()
                   and p.runner_id <> ${runner.id})
        order by created_at, id limit 1 for no key update skip locked)
    returning *`.execute(tx)
  return claimed.rows[0]
}

function recordClaim(tx: Tx, actor: Actor, runner: RunnerRow, request: ExecutionRequestRow): void {
  recordRequestChange(tx, request, 'claim')
  // it gave the request back before: only what comes of this try is worth telling
  if (request.waits[runner.id] !== undefined) return
  recordEvent(
    tx,
    { userId: actor.userId, role: 'runner' },
    {
      workspaceId: request.workspace_id,
      missionId: request.mission_id,
      objectiveId: request.objective_id,
      type: 'execution_claimed',
      summary: `Claimed by ${runner.label}`,
      data: { executionRequestId: request.id, generation: request.generation },
    },
  )
}

function answer(
  { domain }: UseCase,
  request: Assignment | null,
  waited: boolean,
  serverTime: string,
): ClaimAnswer {
  return {
    request,
    ...(request && { leaseToken: leaseTokenOf(domain.keys, request.executionRequest) }),
    leaseSeconds: domain.seconds.lease,
    heartbeatSeconds: domain.seconds.heartbeat,
    waited,
    nextPollSeconds: request ? 0 : 1,
    directives: [],
    serverTime,
  }
}
