import { type CheckResult, pushCheck } from '@svc/contracts/check'
import type { RunnerDirective } from '@svc/contracts/runner'
import { checkHintPaths, readCheckHints } from '../files/check-hint.ts'
import { type TreeState, readTreeState } from '../git/tree-state.ts'
import type { Report } from '../run/reports.ts'
import type { Run } from '../run/run.ts'
import { workingTreesOf } from '../run/working-trees.ts'
import { orAborted } from './stopping.ts'
import { type Told, tryPush } from './try-push.ts'
import { type Check, type CheckSurroundings, runCheck } from './run-check.ts'

type Wanted = Pick<Extract<RunnerDirective, { type: 'check' }>, 'attempt' | 'names'>
type Attempt = Extract<Report, { call: 'reportCheck' }>['body']
type CheckReport = NonNullable<Attempt['report']>

export interface Checks extends AsyncDisposable {
  /** Called with each heartbeat while a delivery waits for checks, until their outcome is reported. */
  want: (wanted: Wanted) => void
  /** Ends the check that runs, and starts none before `resume`: the agent that waited has gone. */
  pause: () => Promise<void>
  resume: () => void
}

interface Attempted {
  report: CheckReport
  /** What the checks left. */
  after: TreeState
}

const hintMs = 300
const lookMs = 60_000

type Around = Omit<CheckSurroundings, 'attempt'>

/**
 * The checks that stand before the deliveries of a run, one attempt at a time. The commands are those that the run was
 * started with, which this machine trusts; which of them are wanted is the service's to say. `ask` has it said at once,
 * where the agent's command has left a hint. Decision 88.
 */
export function startChecks(run: Run, around: Around, ask: () => void): Checks {
  const { assignment, ephemeral } = run.order
  const known = assignment.launchSettings.checks ?? {}
  const isAsked = ephemeral || Object.keys(known).length > 0
  const stopHints = isAsked ? watchHints(run, around, ask) : () => undefined
  let reported = 0
  let last: Attempted | undefined
  const told: Told = new Set()
  let current: { ending: AbortController; done: Promise<void> } | undefined
  let isPaused = false

  async function attempt({ attempt: number, names }: Wanted, signal: AbortSignal): Promise<void> {
    await report({ attempt: number }, signal)
    const state = await lookAt(run, signal)
    const before = last && isAsItWas(last, state) && isAbout(last.report, names) ? last : undefined
    const attempted = before
      ? { ...before, report: { ...before.report, repeated: true } }
      : await checkAll(state, { attempt: number, names }, signal)
    signal.throwIfAborted()
    last = attempted
    reported = number
    await report({ attempt: number, report: attempted.report }, signal)
  }

  /** Whoever pauses does not wait for the service: the report stays in the outbox. */
  async function report(body: Attempt, signal: AbortSignal): Promise<void> {
    await orAborted(run.report({ call: 'reportCheck', body }), signal)
  }

  async function checkAll(
    state: TreeState,
    { attempt: number, names }: Wanted,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const results: CheckResult[] = []
    for (const name of names) {
      if (name === pushCheck) {
        results.push(await tryPush(run, told, signal))
        continue
      }
      const check = Object.hasOwn(known, name) ? known[name] : undefined
      const surroundings = { ...around, attempt: number }
      results.push(
        check ? await tryCheck(run, { name, ...check }, surroundings, signal) : unknown(name),
      )
    }
    const after = await lookAt(run, signal)
    const { commit, dirty } = state
    const changed = after.digest !== state.digest
    return { after, report: { commit, dirty, changed, repeated: false, results } }
  }

  return {
    want(wanted) {
      if (isPaused || current || wanted.attempt <= reported) return
      const ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, run.fence])
      const done = attempt(wanted, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) run.log.warn({ err: error }, 'the checks could not be run')
        })
        .finally(() => (current = undefined))
      current = { ending, done }
    },
    async pause() {
      isPaused = true
      const { ending, done } = current ?? {}
      ending?.abort(new Error('the agent has ended'))
      await done
    },
    resume: () => (isPaused = false),
    async [Symbol.asyncDispose]() {
      stopHints()
      await this.pause()
    },
  }
}

/** A hint costs one call, and no more than one a second, whoever leaves how many. */
function watchHints(run: Run, { workingDirectory }: Around, ask: () => void): () => void {
  const paths = checkHintPaths({ tmpDirectory: run.tmpDirectory, workingDirectory })
  let seen = readCheckHints(paths)
  const timer = setInterval(() => {
    const now = readCheckHints(paths)
    if (now === seen) return
    seen = now
    ask()
  }, hintMs)
  return () => clearInterval(timer)
}

function lookAt(run: Run, signal: AbortSignal): Promise<TreeState> {
  return readTreeState(workingTreesOf(run), { signal, withinMs: lookMs })
}

/** Nothing has changed that was checked. What the checks themselves have changed may make another outcome of them. */
function isAsItWas({ report, after }: Attempted, { digest, ignored }: TreeState): boolean {
  const isKnown = digest !== undefined && ignored !== undefined
  // what origin refused it may take now
  const isPushed = report.results.every(
    ({ name, outcome }) => name !== pushCheck || outcome === 'passed',
  )
  return (
    isKnown && isPushed && !report.changed && digest === after.digest && ignored === after.ignored
  )
}

function isAbout({ results }: CheckReport, names: readonly string[]): boolean {
  return results.length === names.length && results.every(({ name }, at) => name === names[at])
}

async function tryCheck(
  run: Run,
  check: Check,
  around: CheckSurroundings,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    return await runCheck(run, check, around, signal)
  } catch (error) {
    signal.throwIfAborted()
    run.log.warn({ err: error, check: check.name }, 'a check could not be started')
    return notRun(check.name, 'It could not be started on the machine of this run.')
  }
}

function unknown(name: string): CheckResult {
  return notRun(name, 'It is not among the checks that this run was started with.')
}

function notRun(name: string, output: string): CheckResult {
  return { name, outcome: 'not_run', exitCode: null, seconds: 0, output }
}
