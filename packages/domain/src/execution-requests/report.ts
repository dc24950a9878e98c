import { type MetLimit, isAgentLimit } from '@svc/contracts/agent-limit'
import { agentSaid } from '@svc/contracts/describe-exit'
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@svc/contracts/errors'
import type { RouteInput, RouteOutput } from '@svc/contracts/rest'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { authorize } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { recordBranch, recordLastCommits } from './record-branches.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { inTransaction } from '../commit/transaction.ts'
import type { UseCase } from '../use-case.ts'
import { endAttachedRun, failRun, requeueRun } from './end.ts'
import { holdUnattached } from './hold.ts'
import { wakeClaimsAfter } from '../runners/claim-hints.ts'
import { requireLease } from '../entities/execution-requests/lease.ts'
import { scopeOfRequest } from '../entities/execution-requests/queries.ts'
import { partOf, usageAlone } from '../lifecycle/conversation.ts'
import { countRun } from '../lifecycle/count-run.ts'
import { moveRequest, recordRequestChange } from '../lifecycle/move-request.ts'
import { viewLinked } from '../entities/execution-requests/views.ts'
import { waitAfter, waitOfRunner } from '../entities/execution-requests/waits.ts'
import { type Run, lockRun } from '../lifecycle/lock-run.ts'
import { lockRequestAlone } from '../lifecycle/locks.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

type Reported = Promise<{
  executionRequest: RouteOutput<'getExecutionRequest'>['executionRequest']
}>

/** The same report again finds its work done and gets the same answer. spec: States and transitions, rows 2 to 4. */
function report(
  context: UseCase,
  actor: Actor,
  input: { id: string; leaseToken: string },
  work: (tx: UnitOfWork, run: Run, author: Author) => Promise<ExecutionRequestRow>,
): Reported {
  return inTransaction(context, async (tx) => {
    const run = await lockRun(tx, actor.workspaceId, input.id)
    authorizeReport(actor, run.request)
    requireLease(context.domain.keys, run.request, input.leaseToken)
    const request = await work(tx, run, { userId: actor.userId, role: 'runner' })
    return { executionRequest: viewLinked(request, actor, run.linked) }
  })
}

/** A report that ends the run: of one that is over it changes nothing. */
function reportEnd(...[context, actor, input, work]: Parameters<typeof report>): Reported {
  return report(context, actor, input, async (tx, run, author) =>
    run.request.ended_at === null ? work(tx, run, author) : run.request,
  )
}

/** The launch goes no further. What comes of the run is in the report of its end. */
function refuseIfCancelled({ cancel_requested_at }: ExecutionRequestRow): void {
  if (cancel_requested_at === null) return
  throw new ServiceError(
    'cancel_requested',
    'A person has cancelled this run. End what was started of it, and report that it is over.',
  )
}

export function authorizeReport(actor: Actor, request: ExecutionRequestRow): void {
  authorize(actor, 'execution_request:report', scopeOfRequest(request, request.id))
}

/** At once after the claim, and again with `prepared`, which records the branch. */
export function reportLaunching(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportLaunching'>,
): Reported {
  const { prepared } = input
  if (!prepared) return reportLaunchingAlone(context, actor, input)
  return report(context, actor, input, async (tx, run, author) => {
    refuseIfCancelled(run.request)
    const isRepeated = isDeepStrictEqual(run.request.prepared, prepared)
    if (run.request.status === 'launched' || isRepeated) return run.request
    const request = moveRequest(tx, 'launching', run.request, { prepared })
    recordBranch(tx, author, run, prepared)
    return request
  })
}

/** Moves the request alone, so it takes no other lock. */
function reportLaunchingAlone(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportLaunching'>,
): Reported {
  return inTransaction(context, async (tx) => {
    const { request: found, linked } = await lockRequestAlone(tx, actor.workspaceId, input.id)
    authorizeReport(actor, found)
    requireLease(context.domain.keys, found, input.leaseToken)
    refuseIfCancelled(found)
    const repeated = found.status === 'launched' || found.status === 'launching'
    const request = repeated ? found : moveRequest(tx, 'launching', found)
    return { executionRequest: viewLinked(request, actor, linked) }
  })
}

export function reportLaunched(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportLaunched'>,
): Reported {
  const { pid, pidStartedAt, argvRedacted, externalSessionId, agentError } = input
  const process = {
    pid,
    pidStartedAt,
    argvRedacted,
    ...(externalSessionId !== undefined && { externalSessionId }),
    ...(agentError !== undefined && { agentError }),
  }
  return inTransaction(context, async (tx) => {
    const { request: found, linked } = await lockRequestAlone(tx, actor.workspaceId, input.id)
    authorizeReport(actor, found)
    requireLease(context.domain.keys, found, input.leaseToken)
    refuseIfCancelled(found)
    if (found.status === 'launched') {
      const request = noteProcess(tx, found, process)
      return { executionRequest: viewLinked(request, actor, linked) }
    }
    const request = moveRequest(tx, 'launched', found, {
      process,
      attach_by: tx.locks.secondsFromNow(context.domain.seconds.attach),
    })
    recordEvent(
      tx,
      { userId: actor.userId, role: 'runner' },
      { execution_request: request },
      {
        type: 'execution_launched',
        summary: `The agent ${request.agent} was started`,
        data: { executionRequestId: request.id },
      },
    )
    return { executionRequest: viewLinked(request, actor, linked) }
  })
}

/** The agent attached before its launch was reported, or the native session id came later. */
function noteProcess(
  tx: UnitOfWork,
  request: ExecutionRequestRow,
  process: NonNullable<ExecutionRequestRow['process']>,
): ExecutionRequestRow {
  if (isDeepStrictEqual(request.process, process)) return request
  const noted = tx.pending.move('execution_requests', request, { process })
  recordRequestChange(tx, noted, 'launched')
  return noted
}

export function reportFailed(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportFailed'>,
): Reported {
  return reportEnd(context, actor, input, async (tx, run, author) => {
    const { code, message, phase, next } = input
    const failure = { code, message, phase, ...(next && { next }) }
    return failRun(tx, 'fail', { run, author, failure })
  })
}

/** A checkout in use, a branch on another machine and a runner that stops are nobody's fault. Decision 24. */
const costNothing: readonly string[] = ['checkout_busy', 'branch_elsewhere', 'runner_draining']

export function reportReleased(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportReleased'>,
): Reported {
  const { reason, detail, next, until } = input
  return reportEnd(context, actor, input, async (tx, run, author) => {
    const ending = { run, author }
    if (isAgentLimit(reason)) {
      return holdUnattached(tx, 'release', ending, { kind: reason, until, detail })
    }
    const { waits, isRepeated, runAfter } = await waitOfRunner(tx, run.request, reason)
    const costsAttempt = !costNothing.includes(reason)
    return requeueRun(tx, 'release', ending, {
      reason,
      detail,
      next,
      waits,
      isRepeated,
      runAfter,
      costsAttempt,
    })
  })
}

/** Ends that are the machine's and not the agent's: a run that no agent attached to is worth another try. */
const machineCauses: readonly string[] = ['supervisor_lost', 'host_rebooted', 'runner_stopped']

export function reportExited(
  context: UseCase,
  actor: Actor,
  input: RouteInput<'reportExited'>,
): Reported {
  const { exitCode, signal, cause, lastOutput, agentError, warnings = [], limit } = input
  const exit = {
    exitCode,
    signal,
    cause,
    lastOutput,
    warnings,
    ...(agentError !== undefined && { agentError }),
  }
  return reportEnd(context, actor, input, async (tx, found, author) => {
    recordLastCommits(tx, found.request, input)
    const run = { ...found, request: countReported(tx, found, input) }
    if (run.session) return endAfterAttach(tx, author, run, { ...exit, ...metBy(tx, run, limit) })
    if (limit) {
      return holdUnattached(tx, 'hold', { run, author }, { ...limit, detail: agentError })
    }
    if (machineCauses.includes(cause) && run.request.cancel_requested_at === null) {
      return requeueRun(tx, 'requeue', { run, author }, { reason: cause, costsAttempt: true })
    }
    if (run.request.kind === 'resume') {
      // the conversation may be gone: the next try begins a new one
      const reason = 'exited_before_attach'
      return requeueRun(tx, 'requeue', { run, author }, { reason, agentError, costsAttempt: true })
    }
    const trigger = run.request.status === 'launched' ? 'exitBeforeAttach' : 'fail'
    return failRun(tx, trigger, { run, author, failure: exitFailure(exit), agentError, exit })
  })
}

/** Of a machine that went before the agent was started there is nothing to count. */
function countReported(
  tx: UnitOfWork,
  { request, objective }: Run,
  { usage, conversation }: Pick<RouteInput<'reportExited'>, 'usage' | 'conversation'>,
): ExecutionRequestRow {
  const told = conversation && partOf(objective.conversation, request, conversation)
  if (told) tx.pending.set('objectives', objective, { conversation: told.counted })
  const used = usageAlone(usage, told?.part)
  return used || request.started_at !== null ? countRun(tx, request, used) : request
}

type Exit = NonNullable<ExecutionRequestRow['exit']>

/** With the time of its end, which the service sets where the provider names none. */
function metBy(tx: UnitOfWork, { request }: Run, limit: MetLimit | undefined): Partial<Exit> {
  if (!limit) return {}
  const { until } = waitAfter(tx, request, limit.kind, limit.until)
  return { limit: { kind: limit.kind, until: until.toISOString() } }
}

function exitFailure(exit: Exit): NonNullable<ExecutionRequestRow['failure']> {
  const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.exitCode}`
  return {
    code: 'exited_before_attach',
    message: `The agent ended with ${how} before it attached${agentSaid(exit.agentError) || '. Its last output is with the run'}.`,
    phase: 'attach',
  }
}

/** Delivered and lost stay what they are; the report only closes the run. */
async function endAfterAttach(tx: UnitOfWork, author: Author, run: Run, exit: Exit) {
  if (run.request.outcome === 'running') return endAttachedRun(tx, 'exit', { run, author, exit })
  if (run.session?.status === 'lost') moveSession(tx, 'exit', run.session)
  const closed = { exit, ended_at: tx.locks.now, lease_expires_at: null }
  const request = tx.pending.move('execution_requests', run.request, closed)
  recordRequestChange(tx, request, 'exited')
  await wakeClaimsAfter(tx, request)
  return request
}
