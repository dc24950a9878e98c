import { randomUUID } from 'node:crypto'
import { clearUp } from '../processes/clear-up.ts'
import type { ProcessIdentity } from '@svc/process/process-identity'
import { defaultHome } from '../files/home.ts'
import { addAgentToHolder } from '../git/checkout-holders.ts'
import { maskWholeText } from '../output/mask.ts'
import { secretSpellings } from '../output/secrets.ts'
import { type LaunchPlan, planLaunch, refuseUnstartable } from '../plan/launch-plan.ts'
import { refuseHeld } from '../plan/refuse-held.ts'
import { refuseUntrusted } from '../plan/trust.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import type { Exit } from '../processes/start-process.ts'
import { isRefused, leadersOf } from '../run/journal.ts'
import { readStopOrder } from '../run/run-folder.ts'
import { agentErrorForOthers } from '../run/agent-error.ts'
import { reportLast } from '../run/last-report.ts'
import { secretsOf } from '../run/order.ts'
import { recordEnd } from '../run/record-end.ts'
import type { Report } from '../run/reports.ts'
import type { MetLimit } from '@svc/contracts/agent-limit'
import { lastOutputBytes } from '../run/met-limit.ts'
import type { ServiceError } from '@svc/contracts/errors'
import { LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { unstartedReport } from '../run/unstarted-report.ts'
import { writeWhenPossible } from '../run/write-when-possible.ts'
import type { AgentProcess } from './agent-process.ts'
import { type Checks, startChecks } from './checks.ts'
import { cloneMissing } from './clone-missing.ts'
import { finishRun } from './finish.ts'
import { type Lease, startLease } from './lease.ts'
import { closeRun } from './close-run.ts'
import { type PreparedRun, prepareRun } from './prepare.ts'
import { openRunOutput, type RunOutput } from './run-output.ts'
import { runPreLaunchCommands } from './pre-launch.ts'
import { startAgentProcess } from './start-agent-process.ts'
import { type Stopping, createStopping, orAborted } from './stopping.ts'

/** Carries one run from its claim to its last report. Resolves when nothing of it is left to do. */
export async function supervise(
  run: Run,
  onTerminate: (listener: () => void) => void,
): Promise<void> {
  const stopping = createStopping()
  const life: Life = {
    run,
    stopping,
    spawned: false,
    ended: false,
    delivered: undefined,
    checks: undefined,
  }
  onTerminate(() => terminate(life))
  const silence = () => stopping.stop({ cause: 'supervisor_lost', silent: true })
  run.fence.addEventListener('abort', silence, { once: true })
  await using lease = startLease(run, leaseEvents(life))
  try {
    await runToItsEnd(life, lease)
  } catch (error) {
    // Superseded, or over for the service already: there is nothing more to say.
    if (!run.fence.aborted) throw error
  } finally {
    clearTimeout(life.delivered)
    await closeRun(run)
  }
}

interface Life {
  run: Run
  stopping: Stopping
  spawned: boolean
  /** No process of it is left. */
  ended: boolean
  /** Runs out when an agent stays for too long after its delivery. */
  delivered: NodeJS.Timeout | undefined
  /** From the start of its agent on. */
  checks: Checks | undefined
}

function terminate({ run, stopping, spawned }: Life): void {
  const { cause, unlessSpawned } = readStopOrder(run.folder)
  if (!(unlessSpawned && spawned)) stopping.stop({ cause, silent: false })
}

function leaseEvents(life: Life) {
  const { run, stopping } = life
  const staySeconds = run.order.timing.stayAfterDeliverySeconds
  return {
    superseded: () => run.supersede(),
    cancelled: (graceSeconds: number) => {
      const cancel = () => stopping.stop({ cause: 'cancelled', silent: false })
      setTimeout(cancel, graceSeconds * 1000).unref()
    },
    lapsed: () => stopping.stop({ cause: 'supervisor_lost', silent: false }),
    refused: ({ code }: ServiceError) => void run.recordIfPossible({ step: 'refused', code }),
    accepted: () => void run.recordIfPossible({ step: 'accepted' }),
    refusedForGood() {
      stopping.stop({ cause: 'runner_stopped', silent: false })
      if (life.ended) run.leave()
    },
    checkWanted: (wanted: Parameters<Checks['want']>[0]) => life.checks?.want(wanted),
    renewed: ({ outcome }: { outcome: string | null }) => {
      if (outcome !== 'delivered') return
      const end = () => stopping.stop({ cause: 'agent', silent: false })
      life.delivered ??= setTimeout(end, staySeconds * 1000)
    },
  }
}

async function runToItsEnd(life: Life, lease: Lease): Promise<void> {
  const { run, stopping } = life
  let launched: Launched
  try {
    launched = await launch(life)
  } catch (error) {
    return await reportUnstarted(life, error)
  }
  const { agent, sessionId, output, spellings, workingDirectory, environment } = launched
  const surroundings = { workingDirectory, environment, spellings: () => spellings }
  await using checks = startChecks(run, surroundings, lease.renewNow)
  life.checks = checks
  stopping.signal.addEventListener('abort', () => void checks.pause(), { once: true })
  lease.setState('running')
  clearUp()
  const exit = await untilExit(run, stopping, agent)
  lease.setState('exited')
  await checks.pause()
  await endAll(run, agent)
  recordEnd(run)
  life.ended = true
  await output.close()
  if (isRefused(run.steps())) return run.leave()
  await finishRun(run, {
    ...exit,
    cause: stopping.reason()?.cause ?? 'agent',
    usage: agent.usage(),
    sessionId: sessionId(),
    agentError: agent.error(),
    lastOutput: output.last(lastOutputBytes),
    spellings,
    finishLog: output.finishUpload,
    beforeDelivery: checks.resume,
  })
}

interface Launched {
  agent: AgentProcess
  /** The agent's own id of its conversation, as far as it is known. */
  sessionId: () => string | undefined
  output: RunOutput
  /** Spellings of the secrets that it was given. */
  spellings: readonly string[]
  workingDirectory: string
  /** What it was started with. */
  environment: Record<string, string>
}

/** Everything up to the running agent. What goes wrong before the spawn is thrown; after it, nothing is. */
async function launch(life: Life): Promise<Launched> {
  const { run, stopping } = life
  const { signal } = stopping
  await reportStart(run, stopping, { call: 'reportLaunching', body: {} })
  refuseUntrusted({ ...run.order, ownHome: run.order.home !== defaultHome(run.env) })
  refuseUnstartable(run.order)
  refuseHeld(run.order)
  await cloneMissing(run, signal)
  const ready = await prepareRun(run, signal)
  await reportStart(run, stopping, { call: 'reportLaunching', body: { prepared: ready.prepared } })
  const plan = planLaunch(run.order, ready, run.env, randomUUID())
  let spellings = secretSpellings(plan.environment, secretsOf(run.order, run.env))
  const output = openRunOutput(run, spellings)
  try {
    const environment = await runPreLaunchCommands(run, plan, {
      output,
      stopping,
      onStarted: (identity) => keepLock(run, ready, identity),
      onLeft(variables) {
        spellings = [...new Set([...spellings, ...secretSpellings(variables)])]
        output.mask(spellings)
      },
    })
    const started = await startAgent(life, { ...plan, environment }, { ready, output, spellings })
    return { ...started, output, spellings, workingDirectory: plan.workingDirectory, environment }
  } catch (error) {
    await endRunProcesses(leadersOf(run.steps()), run.marker, run.order.timing)
    await showLog(run, output)
    throw error
  }
}

const mostErrorsReported = 20
const mostLimitsKept = 100

/** What a report can hold of it: a run whose end cannot be reported would never be over. */
function isSessionId(text: string): boolean {
  return text.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(text)
}

interface ToStart extends Pick<Launched, 'output' | 'spellings'> {
  ready: PreparedRun
}

async function startAgent(
  life: Life,
  plan: LaunchPlan,
  { ready, output, spellings }: ToStart,
): Promise<Pick<Launched, 'agent' | 'sessionId'>> {
  const { run, stopping } = life
  const adapter = run.order.agent?.adapter
  if (adapter === undefined) throw new Error('an agent without an adapter cannot be planned')
  const argvRedacted = plan.argvShown.map((word) => maskWholeText(word, spellings)).slice(0, 500)
  stopping.signal.throwIfAborted()
  run.record({ step: 'spawning', argvRedacted })
  life.spawned = true
  let sessionId = plan.externalSessionId
  let errorsReported = 0
  let limitsKept = 0
  let limitKept: string | undefined
  const heard = {
    sessionId(externalSessionId: string) {
      if (!isSessionId(externalSessionId)) return run.log.warn({}, 'the agent names no session id')
      run.recordIfPossible({ step: 'native', externalSessionId })
      sessionId = externalSessionId
      report()
    },
    // one that never attaches may be ended by the service, which then hears nothing of its end
    error(said: string) {
      errorsReported += 1
      if (errorsReported <= mostErrorsReported) report(agentErrorForOthers(run, said, spellings))
    },
    // each is a write to the disk, and one that tries again and again says it again and again
    limit(limit: MetLimit, endsRun: boolean) {
      const text = JSON.stringify([limit, endsRun])
      if (text !== limitKept && limitsKept < mostLimitsKept) {
        limitKept = text
        limitsKept += 1
        run.recordIfPossible({ step: 'limited', ...limit, endsRun })
      }
      if (endsRun) stopping.stop({ cause: 'agent', silent: false })
    },
  }
  const agent = await startAgentProcess({
    run,
    plan,
    adapter,
    output,
    spellings,
    stopping: stopping.signal,
    heard,
  })
  const { pid, startedAt: pidStartedAt } = agent.identity
  run.recordIfPossible({ step: 'spawned', pid, pidStartedAt })
  keepLock(run, ready, agent.identity)
  report()
  return { agent, sessionId: () => sessionId }

  function report(agentError?: string): void {
    const body = {
      pid: agent.identity.pid,
      pidStartedAt: agent.identity.startedAt,
      argvRedacted,
      ...(sessionId !== undefined && { externalSessionId: sessionId }),
      ...(agentError && { agentError }),
    }
    void run.report({ call: 'reportLaunched', body }).then(
      (refused) => refused === undefined && run.recordIfPossible({ step: 'launched' }),
      (error: unknown) => run.log.warn({ err: error }, 'the launch could not be reported'),
    )
  }
}

/** A report without which the launch must not go on. */
async function reportStart(
  run: Run,
  stopping: Stopping,
  report: Parameters<Run['report']>[0],
): Promise<void> {
  const refused = await orAborted(run.report(report), stopping.signal)
  if (refused?.code === 'cancel_requested') stopping.stop({ cause: 'cancelled', silent: false })
  stopping.signal.throwIfAborted()
  if (refused !== undefined) throw refused
}

/** Uploads the log of a run whose agent was not started: there is nothing else to see of it. */
async function showLog(run: Run, output: RunOutput): Promise<void> {
  await output.close()
  try {
    await output.finishUpload()
  } catch (error) {
    if (!run.fence.aborted) run.log.warn({ err: error }, 'the output could not be uploaded')
  }
}

/** The checkouts stay the run's while that process lives, whatever becomes of this one. */
function keepLock(run: Run, { held }: PreparedRun, identity: ProcessIdentity): void {
  const writing = writeWhenPossible(run.log)
  for (const { checkout, holder } of held) {
    writing.write(() => addAgentToHolder(checkout, { ...holder, agent: identity }))
  }
}

async function endAll(run: Run, { identity }: AgentProcess): Promise<void> {
  // the journal may lack the agent's: a full disk keeps it from being written
  await endRunProcesses([...leadersOf(run.steps()), identity], run.marker, run.order.timing)
}

async function untilExit(run: Run, stopping: Stopping, agent: AgentProcess): Promise<Exit> {
  const minutes = run.order.assignment.project.maxRuntimeMinutes
  const overtime =
    minutes === null
      ? undefined
      : setTimeout(() => stopping.stop({ cause: 'max_runtime', silent: false }), minutes * 60_000)
  try {
    await orAborted(agent.exited, stopping.signal)
  } catch {
    await agent.stop()
    await endAll(run, agent)
  } finally {
    clearTimeout(overtime)
  }
  const exit = await agent.exited
  const cause = stopping.reason()?.cause
  run.recordIfPossible({ step: 'exited', ...exit, ...(cause && { cause }) })
  return exit
}

async function reportUnstarted(life: Life, error: unknown): Promise<void> {
  const { run, stopping } = life
  recordEnd(run)
  life.ended = true
  if (isRefused(run.steps())) run.leave()
  if (run.fence.aborted) return
  run.log.warn({ err: error }, 'the agent was not started')
  if (error instanceof LaunchRelease && error.checkout !== undefined) {
    run.recordIfPossible({ step: 'blocked', checkout: error.checkout })
  }
  await reportLast(run, reportOf(run, stopping, error))
}

function reportOf(run: Run, stopping: Stopping, error: unknown): Report {
  const { order, env } = run
  return unstartedReport(stopReason(stopping, order.device.label) ?? error, order, env)
}

function stopReason(stopping: Stopping, runner: string): LaunchRelease | undefined {
  const stop = stopping.reason()
  if (stop === undefined) return undefined
  if (stop.cause === 'supervisor_lost') {
    const message = `Runner ${runner} lost the service before the agent was started.`
    return new LaunchRelease('network', message)
  }
  const message =
    stop.cause === 'cancelled'
      ? 'The run was cancelled before its agent was started.'
      : `Runner ${runner} is being stopped: start it again, or another.`
  return new LaunchRelease('runner_draining', message)
}
