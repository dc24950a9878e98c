import { randomUUID } from 'node:crypto'
import { addAgentToHolder } from '../git/checkout-holders.ts'
import { maskWholeText } from '../output/mask.ts'
import { secretSpellings } from '../output/secrets.ts'
import { planLaunch } from '../plan/launch-plan.ts'
import { endRunProcesses } from '../processes/ladder.ts'
import { readStopOrder } from '../run/run-folder.ts'
import { reportLast } from '../run/last-report.ts'
import type { Report } from '../run/reports.ts'
import { LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { unstartedReport } from '../run/unstarted-report.ts'
import { writeWhenPossible } from '../run/write-when-possible.ts'
import { type AgentProcess, type Exit, spawnAgent } from './agent-process.ts'
import { finishRun } from './finish.ts'
import { type Lease, startLease } from './lease.ts'
import { startLogUpload } from './log-upload.ts'
import { closeRun } from './close-run.ts'
import { type PreparedRun, prepareRun } from './prepare.ts'
import { type Stopping, createStopping } from './stopping.ts'

/** Carries one run from its claim to its last report. Resolves when nothing of it is left to do. */
export async function supervise(
  run: Run,
  onTerminate: (listener: () => void) => void,
): Promise<void> {
  const stopping = createStopping()
  const life = { run, stopping, spawned: false, delivered: undefined as NodeJS.Timeout | undefined }
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
    closeRun(run)
  }
}

interface Life {
  run: Run
  stopping: Stopping
  spawned: boolean
  /** Runs out when an agent stays for too long after its delivery. */
  delivered: NodeJS.Timeout | undefined
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
    return await reportUnstarted(run, stopping, error)
  }
  const { agent, spellings } = launched
  lease.setState('running')
  const upload = startLogUpload(run, agent.output)
  const exit = await untilExit(run, stopping, agent)
  lease.setState('exited')
  await endRunProcesses(agent.identity, run.marker, run.order.timing)
  await agent.closeOutput()
  await finishRun(run, {
    ...exit,
    cause: stopping.reason()?.cause ?? 'agent',
    usage: agent.events.usage(),
    lastOutput: agent.output.last(8_000),
    spellings,
    finishLog: upload.finish,
  })
}

interface Launched {
  agent: AgentProcess
  /** Spellings of the secrets that it was given. */
  spellings: readonly string[]
}

/** Steps 1 to 9 of the launch. What goes wrong before the spawn is thrown; after it, nothing is. */
async function launch(life: Life): Promise<Launched> {
  const { run, stopping } = life
  const { signal } = stopping
  await reportStart(run, stopping, { call: 'reportLaunching', body: {} })
  const ready = await prepareRun(run, signal)
  await reportStart(run, stopping, { call: 'reportLaunching', body: { prepared: ready.prepared } })
  const plan = planLaunch(run.order, ready, run.env, randomUUID())
  const spellings = secretSpellings(plan.environment, [run.order.leaseToken])
  const argvRedacted = plan.argvShown.map((word) => maskWholeText(word, spellings)).slice(0, 500)
  signal.throwIfAborted()
  run.record({ step: 'spawning', argvRedacted })
  life.spawned = true
  const agent = await spawnAgent(run, plan, spellings, (externalSessionId) => {
    run.recordIfPossible({ step: 'native', externalSessionId })
    tell(externalSessionId)
  })
  const { pid, startedAt: pidStartedAt } = agent.identity
  run.recordIfPossible({ step: 'spawned', pid, pidStartedAt })
  lockForAgent(run, ready, agent)
  tell(plan.externalSessionId)
  return { agent, spellings }

  function tell(externalSessionId: string | undefined): void {
    const body = {
      pid: agent.identity.pid,
      pidStartedAt: agent.identity.startedAt,
      argvRedacted,
      ...(externalSessionId !== undefined && { externalSessionId }),
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
  const refused = await orStopped(run.report(report), stopping)
  if (refused?.code === 'cancel_requested') stopping.stop({ cause: 'cancelled', silent: false })
  stopping.signal.throwIfAborted()
  if (refused !== undefined) throw refused
}

function lockForAgent(run: Run, { holder, prepared }: PreparedRun, { identity }: AgentProcess) {
  if (holder === undefined) return
  const mine = { ...holder, agent: identity }
  writeWhenPossible(run.log).write(() => addAgentToHolder(prepared.workingDirectory, mine))
}

async function untilExit(run: Run, stopping: Stopping, agent: AgentProcess): Promise<Exit> {
  const minutes = run.order.assignment.project.maxRuntimeMinutes
  const overtime =
    minutes === null
      ? undefined
      : setTimeout(() => stopping.stop({ cause: 'max_runtime', silent: false }), minutes * 60_000)
  try {
    await orStopped(agent.exited, stopping)
  } catch {
    await endRunProcesses(agent.identity, run.marker, run.order.timing)
  } finally {
    clearTimeout(overtime)
  }
  const exit = await agent.exited
  run.recordIfPossible({ step: 'exited', ...exit })
  return exit
}

/** Rejects as soon as the run is to stop. */
async function orStopped<T>(work: Promise<T>, { signal }: Stopping): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function reportUnstarted(run: Run, stopping: Stopping, error: unknown): Promise<void> {
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
