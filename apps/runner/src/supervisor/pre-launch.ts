import type { ProcessIdentity } from '@svc/process/process-identity'
import { LaunchFailure } from '../launch-failure.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { endRunProcesses } from '../processes/ladder.ts'
import { type Exit, type StartedProcess, exitOf, startProcess } from '../processes/start-process.ts'
import type { Run } from '../run/run.ts'
import { noRoomFor } from './agent-process.ts'
import type { RunOutput } from './run-output.ts'
import { type Stopping, orAborted } from './stopping.ts'

const lastBytes = 2_000
const lastLines = 12

interface Surroundings {
  output: RunOutput
  stopping: Stopping
  /** Told of each before it is waited for. */
  onStarted: (identity: ProcessIdentity) => void
}

// spec: Launch payload assembly, item 3
/**
 * The project's commands in turn, each by a shell of its own that has the agent's environment. What a command leaves
 * running stays until the run ends. Whoever calls ends what is left when one fails, or when the run is stopped meanwhile.
 */
export async function runPreLaunchCommands(
  run: Run,
  plan: LaunchPlan,
  surroundings: Surroundings,
): Promise<void> {
  const { preLaunchSeconds } = run.order.timing
  const overtime = new AbortController()
  const timer = setTimeout(() => overtime.abort(), preLaunchSeconds * 1000)
  try {
    for (const index of plan.preLaunchCommands.keys()) {
      await runCommand(run, plan, index, { ...surroundings, overtime: overtime.signal })
    }
  } finally {
    clearTimeout(timer)
  }
}

async function runCommand(
  run: Run,
  plan: LaunchPlan,
  index: number,
  { output, stopping, onStarted, overtime }: Surroundings & { overtime: AbortSignal },
): Promise<void> {
  const name = `Pre-launch command ${index + 1} of ${plan.preLaunchCommands.length}`
  stopping.signal.throwIfAborted()
  output.say(`[${name}]`)
  const { child, identity } = await startShell(plan, index, name)
  const { pid, startedAt: pidStartedAt } = identity
  let shown = Buffer.alloc(0)
  const reader = output.read(child, {
    shown: (bytes) => (shown = Buffer.concat([shown, bytes]).subarray(-lastBytes)),
  })
  try {
    run.record({ step: 'command', index, pid, pidStartedAt })
  } catch (error) {
    await endRunProcesses([identity], run.marker, run.order.timing)
    throw error
  }
  onStarted(identity)
  const exited = exitOf(child)
  const either = AbortSignal.any([stopping.signal, overtime])
  const exit = await orAborted(exited, either).catch((error: unknown) => {
    stopping.signal.throwIfAborted()
    if (overtime.aborted) throw overran(name, run)
    throw error
  })
  await reader.settled()
  if (exit.exitCode !== 0) throw failed(name, exit, shown.toString('utf8'))
}

async function startShell(plan: LaunchPlan, index: number, name: string): Promise<StartedProcess> {
  const command = plan.preLaunchCommands[index] ?? ''
  try {
    return await startProcess('/bin/sh', ['-c', command], plan)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `${name} does not start: ${reason}.`
    const failure = new LaunchFailure('pre_command_failed', message, 'pre_launch', { cause: error })
    throw noRoomFor(error) ?? failure
  }
}

function failed(name: string, { exitCode, signal }: Exit, shown: string): LaunchFailure {
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`
  const lines = shown.trimEnd().split('\n').slice(-lastLines).join('\n')
  const last = lines === '' ? 'It printed nothing.' : `It printed last:\n${lines}`
  const told = `${name} ${how}, so the agent was not started: correct the command in the project's launch settings, or what it needs on this machine. ${last}`
  return new LaunchFailure('pre_command_failed', told, 'pre_launch')
}

function overran(name: string, { order }: Run): LaunchFailure {
  const minutes = Math.ceil(order.timing.preLaunchSeconds / 60)
  const told = `${name} was still running when the ${minutes} minutes for all of them were over: make it shorter, or leave it in the background.`
  return new LaunchFailure('pre_command_timeout', told, 'pre_launch')
}
