import { isServiceError } from '@svc/contracts/errors'
import type { HeartbeatAnswer } from '@svc/contracts/runner'
import type { RouteInput } from '@svc/contracts/rest'
import type { Tx } from '@svc/db/database'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { requireSameCaller } from '../common/recalled.ts'
import { recordChange } from '../commit/records.ts'
import { isConnected } from '../entities/runners/queries.ts'
import { hearSessionOf } from '../lifecycle/move-session.ts'
import { isDeleted } from '../entities/objectives/queries.ts'
import { runnerRemoved } from '../runners/record.ts'
import { removeLeaving } from '../runners/remove.ts'
import { resumeLostRun, unpark } from './resume-lost.ts'
import { inTransaction } from '../commit/transaction.ts'
import { type UseCase, withoutKey } from '../use-case.ts'
import { holdsLease } from '../entities/execution-requests/lease.ts'
import { authorizeReport } from './report.ts'
import { lockRun } from '../lifecycle/lock-run.ts'
import { lockRequest } from '../lifecycle/locks.ts'
import { isHeld, where } from '../states/states.ts'

type Lease = RouteInput<'heartbeatRunner'>['leases'][number]
type LeaseAnswer = HeartbeatAnswer['leases'][number]

/** Renews the leases named and says of each whether it still stands. Daemons call it without any. */
export async function heartbeatRunner(
  given: UseCase,
  actor: Actor,
  input: RouteInput<'heartbeatRunner'>,
): Promise<HeartbeatAnswer> {
  authorize(actor, 'execution_request:report')
  const context = withoutKey(given)
  const leases: LeaseAnswer[] = []
  const directives: HeartbeatAnswer['directives'] = []
  for (const lease of input.leases) {
    const { answer, directives: more } = await renew(context, actor, lease)
    leases.push(answer)
    directives.push(...more)
  }
  await requireSameCaller(context.caller)
  const serverTime = await hear(context, actor, input)
  if (input.leaving) await removeLeaving(context, actor, input)
  return { leases, directives, serverTime }
}

interface Renewal {
  answer: LeaseAnswer
  /** Every time, for as long as it is so: an answer may get lost. */
  directives: HeartbeatAnswer['directives']
}

type Heard = Pick<RunnerRow, 'workspace_id' | 'id' | 'fingerprint'> & {
  removed: boolean
  now: Date
  was_silent: boolean
}

async function hear(
  { domain }: UseCase,
  actor: Actor,
  input: RouteInput<'heartbeatRunner'>,
): Promise<string> {
  const { rows } = await sql<Heard>`
    update runners set last_heard_at = app.now(),
           capacity = coalesce(${input.capacity ? JSON.stringify(input.capacity) : null}::jsonb, capacity)
     where workspace_id = ${actor.workspaceId} and user_id = ${actor.userId}
       and instance_id = ${input.instanceId}
    returning workspace_id, id, fingerprint, removed_at is not null as removed, app.now() as now,
              -- the table as it was before this statement
              (select not (${isConnected('b')}) from runners b
                where b.workspace_id = runners.workspace_id and b.id = runners.id) as was_silent`.execute(
    domain.db,
  )
  const [row] = rows
  if (row?.was_silent && !row.removed) {
    await inTransaction({ domain }, async (tx) => recordChange(tx, { runner: row }, 'return'))
  }
  if (row?.removed && input.leases.length === 0) throw runnerRemoved()
  if (row) return row.now.toISOString()
  const { rows: clock } = await sql<{ now: Date }>`select app.now() as now`.execute(domain.db)
  return clock[0]?.now.toISOString() ?? ''
}

/** A lapsed lease is renewed as long as nobody else has claimed since. */
async function renew(context: UseCase, actor: Actor, lease: Lease): Promise<Renewal> {
  try {
    return (
      (await renewAlone(context, actor, lease)) ?? (await resumeAndRenew(context, actor, lease))
    )
  } catch (error) {
    // also where its mission or its objective was deleted meanwhile
    if (isNotFound(error)) return over(lease, 'not_found')
    throw error
  }
}

/** Null where the run was held lost, which takes more than its own lock. */
function renewAlone(context: UseCase, actor: Actor, lease: Lease): Promise<Renewal | null> {
  return inTransaction(context, async (tx) => {
    const request = await lockRequest(tx, actor.workspaceId, lease.requestId)
    authorizeReport(actor, request)
    if (!holdsLease(context.domain.keys, request, lease.leaseToken))
      return over(lease, 'superseded')
    if (!isHeld(request)) return over(lease, request.status)
    if (request.outcome === 'lost' || request.outcome === 'parked') return null
    return renewed(context, lease, request, await extend(tx, context, request))
  })
}

/** A run held lost or parked that is heard of again goes on, as long as nothing was launched in its place. */
function resumeAndRenew(context: UseCase, actor: Actor, lease: Lease): Promise<Renewal> {
  return inTransaction(context, async (tx) => {
    const run = await lockRun(tx, actor.workspaceId, lease.requestId)
    if (isDeleted(run)) return over(lease, 'not_found')
    const held = holdsLease(context.domain.keys, run.request, lease.leaseToken)
    if (!held || run.newest?.id !== run.request.id) return over(lease, 'superseded')
    const resumed = run.session && (await resumeLostRun(tx, run, run.session))
    const spoken = await extend(tx, context, run.request)
    const request = resumed?.request ?? (await unpark(tx, run.request))
    return renewed(context, lease, request, spoken)
  })
}

function isNotFound(error: unknown): boolean {
  return isServiceError(error) && error.code === 'not_found'
}

function over(lease: Lease, reason: string): Renewal {
  return { answer: { requestId: lease.requestId, ok: false, reason }, directives: [] }
}

/** Whether an agent has attached, and the question of it whose answer it has not taken. */
interface Spoken {
  answered: string | null
}

/** One statement, which reads nothing of what it writes. */
async function extend(
  tx: Tx,
  { domain }: UseCase,
  request: ExecutionRequestRow,
): Promise<Spoken | undefined> {
  const { workspace_id, id, generation } = request
  const { rows } = await sql<Spoken>`
    with extended as (
      update execution_requests
         set lease_renewed_at = app.now(),
             lease_expires_at = app.now() + make_interval(secs => ${domain.seconds.lease})
       where workspace_id = ${workspace_id} and id = ${id}),
    heard as (${hearSessionOf(request)})
    select q.id as answered
      from agent_sessions s
      left join questions q
        on q.workspace_id = s.workspace_id and q.session_id = s.id
           and ${where.pendingQuestion('q')} and q.answered_at is not null
     where s.workspace_id = ${workspace_id} and s.execution_request_id = ${id}
       and s.generation = ${generation}
     order by s.seq desc limit 1`.execute(tx)
  return rows[0]
}

function renewed(
  { domain }: UseCase,
  { requestId }: Lease,
  request: ExecutionRequestRow,
  spoken: Spoken | undefined,
): Renewal {
  const answer = {
    requestId,
    ok: true as const,
    leaseExpiresInSeconds: domain.seconds.lease,
    attached: spoken !== undefined,
    outcome: request.outcome,
  }
  const directives: Renewal['directives'] = []
  if (request.cancel_requested_at !== null) {
    directives.push({ type: 'cancel', requestId, graceSeconds: 0 })
  }
  if (spoken?.answered) {
    directives.push({ type: 'answer_available', requestId, questionId: spoken.answered })
  }
  if (request.checks && !request.checks.report && request.outcome === 'running') {
    const { attempt, names } = request.checks
    directives.push({ type: 'check', requestId, attempt, names })
  }
  return { answer, directives }
}
