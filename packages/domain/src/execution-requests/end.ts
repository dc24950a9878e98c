import { agentSaid, describeExit } from '@svc/contracts/describe-exit'
import type { RunnerStep } from '@svc/contracts/next-step'
import type { ExecutionRequestRow } from '@svc/db/tables'
import { moveObjective } from '../lifecycle/move-objective.ts'
import { type Author, recordEvent } from '../commit/records.ts'
import { moveSession } from '../lifecycle/move-session.ts'
import { launchStep, notifyOfObjective } from '../notifications/notify-of-objective.ts'
import { displayIdOf } from '../entities/objectives/views.ts'
import { followRunEnd } from '../run-queues/follow.ts'
import { snapshotRun } from '../entities/missions/snapshot.ts'
import { type Ending, endCancelled } from './end-cancelled.ts'
import { wakeClaims } from '../runners/claim-hints.ts'
import { moveRequest } from '../lifecycle/move-request.ts'
import { selectPendingOf } from '../entities/questions/queries.ts'
import { giveUpResume, goesOnByItself, parkAtLimit, parkRun } from './resume.ts'
import type { Run } from '../lifecycle/lock-run.ts'
import type { UnitOfWork } from '../commit/unit-of-work.ts'

export const attemptsAllowed = 3

type Failure = NonNullable<ExecutionRequestRow['failure']>

interface Failed {
  failure: Failure
  /** What the agent said went wrong, where it said so. */
  agentError?: string | undefined
}

/** The request is over for good and no agent attached: its objective goes back to where it was launched from. */
export async function failRun(
  tx: UnitOfWork,
  trigger: 'fail' | 'exhaust' | 'exitBeforeAttach' | 'expire',
  { run, author, failure, agentError, exit }: Ending & Failed,
): Promise<ExecutionRequestRow> {
  if (isCancelled(run)) {
    return (await endCancelled(tx, { run, author, exit }, { isOver: trigger !== 'expire' })).request
  }
  const request = moveRequest(tx, trigger, run.request, {
    failure,
    ...(exit && { exit }),
    generation: run.request.generation + (trigger === 'expire' ? 1 : 0),
    lease_expires_at: null,
    attach_by: null,
    ended_at: tx.locks.now,
  })
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'execution_failed',
      summary: `The run did not start: ${failure.code}. ${failure.message}`,
      data: { executionRequestId: request.id, code: failure.code, phase: failure.phase },
    },
  )
  if (run.objective.state === 'launching') {
    const payload = { run: snapshotRun({ request }, `${failure.code}: ${failure.message}`) }
    // what it was to go on with is still there
    const set = request.kind === 'resume' ? { last_outcome: 'exited' as const } : {}
    const objective = await moveObjective(tx, 'launchFail', { ...run, set, payload })
    await followRunEnd(tx, { mission: run.mission, objective }, 'failed')
    const of = { mission: run.mission, objective }
    await notifyOfObjective(
      tx,
      { ...of, request },
      {
        kind: 'run_failed',
        what: `did not start: ${failure.code}${agentSaid(agentError)}`,
        next: failure.next ?? launchStep(of, request.agent),
      },
    )
  }
  if (goesOnByItself(request)) await giveUpResume(tx, { ...run, request, author })
  return request
}

/** However it ends now, it ends because a person said so. */
function isCancelled({ request }: Run): boolean {
  return request.cancel_requested_at !== null
}

interface Return {
  reason: string
  /** A sentence for whoever may read the mission; it enters no event, since webhooks carry those. */
  detail?: string | undefined
  agentError?: string | undefined
  next?: RunnerStep | undefined
  /** What runners wait for from now on; nothing when left out. */
  waits?: ExecutionRequestRow['waits']
  /** When its runner tries it again, where a limit of the agent's provider is the reason. */
  until?: Date | undefined
  /** Nobody is offered it before; at once when left out. */
  runAfter?: Date | undefined
  /** The same was recorded before, and nothing came of it since. */
  isRepeated?: boolean
  costsAttempt: boolean
}

/** Back to the queue under the next generation, so that whoever held it can report nothing more. */
export async function requeueRun(
  tx: UnitOfWork,
  trigger: 'release' | 'requeue' | 'hold',
  { run, author }: Ending,
  back: Return,
): Promise<ExecutionRequestRow> {
  if (isCancelled(run)) {
    return (await endCancelled(tx, { run, author }, { isOver: trigger !== 'requeue' })).request
  }
  const attempt = run.request.attempt + (back.costsAttempt ? 1 : 0)
  if (attempt > attemptsAllowed) {
    const { reason, agentError } = back
    const message = `Given back ${attemptsAllowed} times, the last time because: ${reason}${agentSaid(agentError)}`
    const failure = { code: 'attempts_exhausted', message, phase: 'service' } as const
    return failRun(tx, 'exhaust', { run, author, failure, agentError })
  }
  const request = moveRequest(tx, trigger, run.request, {
    attempt,
    generation: run.request.generation + 1,
    claim_id: null,
    lease_expires_at: null,
    attach_by: null,
    prepared: null,
    process: null,
    run_after: back.runAfter ?? tx.locks.now,
    last_release: {
      reason: back.reason,
      at: tx.locks.now.toISOString(),
      ...(back.detail !== undefined && { detail: back.detail }),
      ...(back.until && { until: back.until.toISOString() }),
      ...(back.next && { next: back.next }),
    },
    waits: back.waits ?? {},
  })
  wakeClaims(tx, request)
  if (back.isRepeated) return request
  recordEvent(
    tx,
    author,
    { execution_request: request },
    {
      type: 'execution_released',
      summary: `Back in the queue: ${back.reason}`,
      data: {
        executionRequestId: request.id,
        reason: back.reason,
        attempt,
        ...(back.until && { until: back.until.toISOString() }),
      },
    },
  )
  return request
}

/**
 * The run of an attached agent ended without a delivery: the objective waits to be launched again, or for the answer to
 * what the agent has asked.
 */
export async function endAttachedRun(
  tx: UnitOfWork,
  trigger: 'exit' | 'lose',
  { run, author, exit }: Ending,
): Promise<ExecutionRequestRow> {
  if (isCancelled(run)) {
    return (await endCancelled(tx, { run, author, exit }, { isOver: trigger === 'exit' })).request
  }
  const question = run.session && (await selectPendingOf(tx, run.session).executeTakeFirst())
  if (question) return parkRun(tx, { ...run, author, question, ...(exit && { exit }) })
  if (exit?.limit) return parkAtLimit(tx, { ...run, author, exit: { ...exit, limit: exit.limit } })
  const request = moveRequest(tx, trigger, run.request, {
    attach_by: null,
    ...(exit && { exit, ended_at: tx.locks.now }),
  })
  await endWork(tx, trigger, { ...run, request, author })
  return request
}

type Work = Pick<Run, 'mission' | 'objective' | 'session'> & {
  request?: ExecutionRequestRow
  author: Author
}

const endings = {
  exited: { kind: 'run_ended', what: 'is not done: its agent ended without a delivery' },
  lost: { kind: 'run_lost', what: 'is not done: nothing was heard of its agent for too long' },
} as const

/** What an attached agent did has ended, whether it came with a request or by itself. */
export async function endWork(
  tx: UnitOfWork,
  trigger: 'exit' | 'lose',
  { mission, objective, session, request, author }: Work,
): Promise<void> {
  const outcome = trigger === 'exit' ? ('exited' as const) : ('lost' as const)
  const summary =
    trigger === 'exit'
      ? `The agent ended without a delivery${request?.exit ? `: ${describeExit({ ...request.exit, limit: null })}` : ''}`
      : 'Nothing was heard of the agent for too long'
  if (session) moveSession(tx, trigger, session)
  if (objective.state === 'executing') {
    const payload = { run: snapshotRun({ request, session }, summary) }
    const set = { last_outcome: outcome }
    const ended = await moveObjective(tx, trigger, { mission, objective, set, payload })
    await followRunEnd(tx, { mission, objective: ended }, outcome)
    const of = { mission, objective: ended }
    await notifyOfObjective(
      tx,
      { ...of, request, session },
      {
        kind: endings[outcome].kind,
        what: `${endings[outcome].what}${saidAtEnd(request)}`,
        next: request
          ? { operation: 'resumeObjective', params: { id: displayIdOf(mission, ended) } }
          : launchStep(of, undefined),
      },
    )
  }
  recordEvent(
    tx,
    author,
    { objective },
    {
      type: trigger === 'exit' ? 'run_ended' : 'session_lost',
      summary,
      data: { executionRequestId: request?.id ?? null, outcome },
    },
  )
}

/** Nothing of one that ended well: what went wrong on the way is nobody's concern. */
function saidAtEnd(request: ExecutionRequestRow | undefined): string {
  return request?.exit?.exitCode === 0 ? '' : agentSaid(request?.exit?.agentError)
}
