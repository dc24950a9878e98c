import {
  type CheckReport,
  type DeliveryChecks,
  type RunChecks,
  describeCheck,
  outcomeOfAll,
} from '@svc/contracts/check'
import { ServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { ExecutionRequestRow, ProjectRow } from '@svc/db/tables'

export interface CheckFacts {
  /** The checks that stand before this delivery, in their order. */
  names: readonly string[]
  /** All checks of the project, with how long each may take. */
  checks: ProjectRow['checks']
  request:
    | Pick<ExecutionRequestRow, 'checks' | 'cancel_requested_at' | 'lease_expires_at'>
    | undefined
  /** Its work was deleted: it is kept, and nothing follows it. */
  isDeleted: boolean
  /** Which call this is, by a digest: of its key, else of its content. */
  caller: string
  /** Made again under its key it is the same call; without one, a call that was refused is a new one. */
  isKeyed: boolean
  now: Date
  leaseSeconds: number
}

/** Taken, with the outcome of its checks, or refused; `keep` is stored with the run although the call is refused. */
export type Verdict =
  | { isTaken: true; checks: DeliveryChecks | null }
  | { isTaken: false; refusal: ServiceError; keep: RunChecks | undefined }

const callersKept = 10
/** A supervisor looks at the tree before and after, and has to reach the service. */
const slackSeconds = 120

/**
 * Decides whether a delivery is taken now. Only the supervisor of the run reports the outcome of checks; what the agent says
 * of them is ignored. A call starts an attempt, or joins the one that is under way. The outcome counts for calls that waited
 * for it alone, since the files may have changed since. Decision 88.
 */
export function judgeChecks(facts: CheckFacts): Verdict {
  const { names, request, caller, isKeyed } = facts
  if (names.length === 0) return { isTaken: true, checks: null }
  const run = request?.checks ?? undefined
  const waits = run?.callers.includes(caller) === true && (isKeyed || !run.refused)
  const reason = whyNotRun(facts)
  if (run?.report && waits) {
    const checks = checksOf(run, run.report)
    const isLast = run.failures > 0 || reason !== undefined
    if (checks.outcome !== 'failed' || isLast) return { isTaken: true, checks }
    return refuse(failed(run, run.report), run.refused ? undefined : { ...run, refused: true })
  }
  if (reason !== undefined) return { isTaken: true, checks: notRun(reason) }
  if (!run || run.report) return ask(facts, run)
  return refuse(running(run), waits ? undefined : joined(run, caller))
}

/** Why nobody can run them; undefined where its supervisor can. */
function whyNotRun({ request, isDeleted, now, leaseSeconds, checks }: CheckFacts) {
  if (!request) return 'No runner started this work, so there was none that could run them.'
  if (isDeleted) return 'The work was deleted before it was delivered.'
  if (request.cancel_requested_at !== null) return 'The run was being cancelled.'
  const expires = request.lease_expires_at
  if (expires === null || expires <= now) return 'The runner of this run was not heard of any more.'
  const run = request.checks
  if (!run || run.report) return undefined
  const since = (from: string) => (now.getTime() - Date.parse(from)) / 1000
  if (run.begunAt === undefined) {
    const isSilent = since(run.wantedAt) > Math.max(leaseSeconds, 1)
    return isSilent ? 'The runner of this run did not begin them.' : undefined
  }
  const longest = run.names.reduce((sum, name) => sum + secondsOf(checks, name), 0)
  const isOver = since(run.begunAt) > longest + leaseSeconds + slackSeconds
  return isOver ? 'The runner of this run did not say what they came to.' : undefined
}

function secondsOf(checks: ProjectRow['checks'], name: string): number {
  return checks[name]?.timeoutSeconds ?? limits.checkSeconds
}

function ask({ names, caller, now }: CheckFacts, before: RunChecks | undefined): Verdict {
  const run: RunChecks = {
    attempt: (before?.attempt ?? 0) + 1,
    names: [...names],
    wantedAt: now.toISOString(),
    callers: [caller],
    failures: (before?.failures ?? 0) + (before?.refused ? 1 : 0),
  }
  return refuse(running(run), run)
}

function joined(run: RunChecks, caller: string): RunChecks {
  return { ...run, callers: [...run.callers, caller].slice(-callersKept) }
}

function refuse(refusal: ServiceError, keep: RunChecks | undefined): Verdict {
  return { isTaken: false, refusal, keep }
}

function running({ attempt, names, begunAt }: RunChecks): ServiceError {
  const state = begunAt === undefined ? 'is about to run' : 'is still running'
  return new ServiceError(
    'check_running',
    `Nothing is delivered yet: the check ${names.join(', ')} ${state}. Deliver again, with the same content, until it has ended.`,
    { attempt, names, begunAt: begunAt ?? null },
  )
}

function failed({ attempt }: RunChecks, { commit, dirty, results }: CheckReport): ServiceError {
  const which = results.filter(({ outcome }) => outcome !== 'passed').map(describeCheck)
  return new ServiceError(
    'check_failed',
    `Nothing was delivered: ${which.join('; ')}. Correct what it shows and deliver again: the check then runs anew, and what fails a second time is delivered as failed.`,
    { attempt, commit, dirty, results },
  )
}

function checksOf(
  run: RunChecks,
  { commit, dirty, changed, results }: CheckReport,
): DeliveryChecks {
  const outcome = outcomeOfAll(results)
  return {
    outcome,
    reason: outcome === 'not_run' ? (whyOf(results) ?? null) : null,
    commit,
    dirty,
    changed,
    checkedAt: run.reportedAt ?? null,
    attempts: run.attempt,
    results,
  }
}

function whyOf(results: CheckReport['results']): string | undefined {
  return results.find(({ outcome }) => outcome === 'not_run')?.output
}

export function notRun(reason: string): DeliveryChecks {
  return {
    outcome: 'not_run',
    reason,
    commit: null,
    dirty: false,
    changed: false,
    checkedAt: null,
    attempts: 0,
    results: [],
  }
}
