import { clearUp } from '../processes/clear-up.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import type { Exit } from '../processes/start-process.ts'
import { isRefused, leadersOf } from '../run/journal.ts'
import { readStopOrder } from '../run/run-folder.ts'
import { reportLast } from '../run/last-report.ts'
import { recordEnd } from '../run/record-end.ts'
import type { Report } from '../run/reports.ts'
import { lastOutputBytes } from '../run/met-limit.ts'
import type { ServiceError } from '@svc/contracts/errors'
import { LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { unstartedReport } from '../run/unstarted-report.ts'
import type { AgentProcess } from './agent-process.ts'
import { type Checks, startChecks } from './checks.ts'
import { finishRun } from './finish.ts'
import { type Launched, launch } from './launch.ts'
import { type Lease, startLease } from './lease.ts'
import type { Life } from './life.ts'
import { closeRun } from './close-run.ts'
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
