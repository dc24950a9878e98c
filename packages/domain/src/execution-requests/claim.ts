import type { Assignment } from '@svc/contracts/assignment'
import type { ClaimAnswer } from '@svc/contracts/runner'
import type { RouteInput } from '@svc/contracts/rest'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { type RawBuilder, sql } from 'kysely'
import { authenticateAgain } from '../people/access/authenticate-again.ts'
import { authorize } from '../access/authorize.ts'
import { runTokenOf } from '../access/run-token.ts'
import type { Actor } from '../common/actor.ts'
import { notFound } from '../common/errors.ts'
import { recordEvent } from '../commit/records.ts'
import { touchRunner, recordRunner } from '../runners/record.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UseCase, withoutCaller, withoutKey } from '../use-case.ts'
import { buildAssignment } from './assignment.ts'
import { countHints, joinWaiters } from './claim-waiters.ts'
import { leaseTokenOf } from '../entities/execution-requests/lease.ts'
import { recordRequestChange } from '../lifecycle/move-request.ts'
import { claimers, eligible, takeable } from '../entities/execution-requests/takeable.ts'
import { endHolds, endWaits } from '../entities/execution-requests/waits.ts'
import { isHeld } from '../states/states.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'
import type { Tx } from '@svc/db/database'
import { ofQueued, settleNotices } from '../notifications/settle.ts'

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
  const claim = { context, actor, input, scope: scopeOf(actor, input) }
  const hintsBefore = countHints(context.domain)
  const first = await inTransaction(context, async (tx) => {
    const recorded = recordRunner(tx, actor, input, namedBy(claim))
    const { changed, retried } = input
    if (!changed && !retried) return tryClaim(tx, claim, recorded, runnerOf(claim))
    // what it could not take before it may take with this claim
    const runner = await recorded
    if (changed) await endWaits(tx, runner, changed)
    if (retried) await endHolds(tx, runner, retried)
    return tryClaim(tx, claim, recorded, sql`${runner.id}`)
  })
  if (first.assignment || first.isOver || input.waitSeconds === 0) {
    return answer(claim, first, false)
  }
  // The time is that of the wait: a first look that was slow on a busy machine takes nothing of it.
  const deadline = performance.now() + input.waitSeconds * 1000
  return answer(claim, await waitAndClaim(claim, first, { deadline, hintsBefore }), true)
}

interface Claim {
  context: UseCase
  actor: Actor
  input: ClaimInput
  /** null is every project of the workspace. */
  scope: readonly string[] | null
}

interface Tried {
  runner: RunnerRow
  assignment: Assignment | null
  /** What this claim took is over, and it takes nothing else. */
  isOver: boolean
}

function namedBy({ input, scope }: Claim): Parameters<typeof recordRunner>[3] {
  return { named: input.projectIds === 'all' ? [] : input.projectIds, scope }
}

/** The id of the runner that is being recorded: what asks for it leaves together with what records it. */
function runnerOf({ actor, input }: Claim): RawBuilder<string> {
  return sql<string>`(
    select id from runners
     where workspace_id = ${actor.workspaceId} and user_id = ${actor.userId}
       and fingerprint = ${input.device.fingerprint})`
}

/**
 * Tries again whenever there may be something, and once more when its time is over: an earlier call under this claim id,
 * whose caller has gone unnoticed, may have taken something since, and some things get ready without a hint. The runner
 * reported what it has by the first look, maybe by another call since.
 */
async function waitAndClaim(
  claim: Claim,
  first: Tried,
  { deadline, hintsBefore }: { deadline: number; hintsBefore: number },
): Promise<Tried> {
  const { context, scope: projectIds } = claim
  const known = first.runner
  const claimer = { workspaceId: known.workspace_id, runnerId: known.id, projectIds }
  using waiting = joinWaiters(context.domain, claimer)
  let last = first
  let mayBeThere = countHints(context.domain) !== hintsBefore
  for (;;) {
    if (!mayBeThere) await waiting.untilNotified(deadline - performance.now(), context.signal)
    if (context.signal?.aborted) return last
    mayBeThere = false
    waiting.startLook()
    last = await inTransaction(withoutCaller(context), async (tx) => {
      // the right to it may have gone while it waited
      const [tried] = await Promise.all([
        tryClaim(tx, claim, touchRunner(tx, known), sql`${known.id}`),
        requireStill(tx, claim.actor),
      ])
      return tried
    })
    if (last.assignment) waiting.taken(last.assignment.executionRequest)
    if (last.assignment || last.isOver || performance.now() >= deadline) return last
  }
}

async function requireStill(tx: Tx, actor: Actor): Promise<void> {
  authorize(await authenticateAgain(tx, actor), 'execution_request:claim')
}

/** The projects named ∩ the token's; null is every project of the workspace. */
function scopeOf(actor: Actor, input: ClaimInput): readonly string[] | null {
  const allowed = actor.credential.projectIds
  if (input.projectIds === 'all') return allowed
  for (const id of input.projectIds) {
    if (allowed && !allowed.includes(id)) throw notFound('project', id)
  }
  return input.projectIds
}

async function tryClaim(
  tx: UnitOfWork,
  claim: Claim,
  recorded: Promise<RunnerRow>,
  runnerId: RawBuilder<string>,
): Promise<Tried> {
  const { actor, input } = claim
  const [runner, { request, isKnown }] = await Promise.all([
    recorded,
    takeOldest(tx, claim, runnerId),
  ])
  const held = request?.runner_id === runner.id && isHeld(request)
  if (!held) return { runner, assignment: null, isOver: isKnown }
  if (!isKnown) recordClaim(tx, actor, runner, request)
  const { fingerprint } = input.device
  const assignment = await buildAssignment(tx, actor, {
    request,
    device: fingerprint,
    carries: tx.takePending(),
  })
  return { runner, assignment, isOver: false }
}

interface Taken {
  request: ExecutionRequestRow | undefined
  /** This claim came before. */
  isKnown: boolean
}

/** What this claim took when it came before: it takes nothing else, even if that run is over. Else the oldest. */
async function takeOldest(
  tx: Tx,
  { context, actor, input, scope }: Claim,
  runnerId: RawBuilder<string>,
): Promise<Taken> {
  const { workspaceId } = actor
  const given = sql`(select 0 as n, ${workspaceId}::uuid as workspace_id,
    ${runnerId}::uuid as runner_id, ${scope}::uuid[] as projects)`
  // One statement. SKIP LOCKED: a row that another claimer holds means the next one, never a wait or an empty answer.
  // The partitions are visited in the order of their oldest row and only until one is found, so one row is locked.
  // It locks no mission, so a claim never waits for a launch or a delivery.
  const { rows } = await sql<ExecutionRequestRow & { is_known: boolean }>`
    with recursive known as materialized (
      select * from execution_requests
       where workspace_id = ${workspaceId} and claim_id = ${input.claimId}),
    ${claimers(given)}, ${eligible}, claimed as (
      update execution_requests set
             status = 'claimed', generation = generation + 1, claim_id = ${input.claimId},
             runner_id = ${runnerId}, lease_renewed_at = app.now(),
             lease_expires_at = app.now() + make_interval(secs => ${context.domain.seconds.lease}),
             updated_at = app.now()
       where not exists (select from known) and (workspace_id, id) = (
         select e.workspace_id, e.id
           from (select part.*, oldest.created_at, oldest.id
                   from eligible part cross join lateral (${takeable} limit 1) oldest
                  order by oldest.created_at, oldest.id) part
          cross join lateral (${takeable} limit 1 for no key update skip locked) e
          order by part.created_at, part.id limit 1)
      returning *)
    select true as is_known, * from known union all select false, * from claimed`.execute(tx)
  const [row] = rows
  if (!row) return { request: undefined, isKnown: false }
  const { is_known: isKnown, ...request } = row
  return { request, isKnown }
}

function recordClaim(
  tx: UnitOfWork,
  actor: Actor,
  runner: RunnerRow,
  request: ExecutionRequestRow,
): void {
  settleNotices(tx, ofQueued, request.workspace_id, [request.id])
  recordRequestChange(tx, request, 'claim')
  // it gave the request back before: only what comes of this try is worth an entry
  if (request.waits[runner.id] !== undefined) return
  recordEvent(
    tx,
    { userId: actor.userId, role: 'runner' },
    { execution_request: request },
    {
      type: 'execution_claimed',
      summary: `Claimed by ${runner.label}`,
      data: { executionRequestId: request.id, generation: request.generation },
    },
  )
}

function answer(claim: Claim, { runner, assignment }: Tried, waited: boolean): ClaimAnswer {
  const { domain } = claim.context
  return {
    request: assignment,
    ...(assignment && { leaseToken: leaseTokenOf(domain.keys, assignment.executionRequest) }),
    ...(assignment && agentTokenOf(claim, assignment)),
    leaseSeconds: domain.seconds.lease,
    heartbeatSeconds: domain.seconds.heartbeat,
    logBytes: domain.logBytes,
    waited,
    nextPollSeconds: assignment ? 0 : 1,
    directives: [],
    serverTime: runner.last_heard_at.toISOString(),
  }
}

/** It ends with the token that claims, so that a browser has none to give. */
function agentTokenOf(
  { context, actor, input }: Claim,
  { executionRequest }: Assignment,
): Pick<ClaimAnswer, 'agentToken'> {
  const { workspaceId, credential } = actor
  if (!input.mintAgentToken || credential.kind !== 'token') return {}
  const { id: requestId, generation } = executionRequest
  const run = { workspaceId, requestId, generation, tokenId: credential.id }
  return { agentToken: runTokenOf(context.domain.keys, run) }
}
