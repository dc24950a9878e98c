import type { ProcessIdentity } from '@svc/process/process-identity'
import { homeAt } from '../files/home.ts'
import { LaunchFailure } from '../launch-failure.ts'
import { keepOwn } from '../plan/environment.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import { type Exit, type StartedProcess, exitOf, startProcess } from '../processes/start-process.ts'
import type { Run } from '../run/run.ts'
import { noRoomFor } from './start-or-explain.ts'
import { nameOf, openVariableFiles, readLeft, shellArguments } from './pre-launch-shell.ts'
import type { RunOutput } from './run-output.ts'
import { type Stopping, orAborted } from './stopping.ts'

const lastBytes = 2_000
const lastLines = 12

interface Surroundings {
  output: RunOutput
  stopping: Stopping
  /** Called with each shell before it is waited for. */
  onStarted: (identity: ProcessIdentity) => void
  /** Called with the variables that a command has left, before anything is shown that a later one prints. */
  onLeft: (variables: Record<string, string>) => void
}

// spec: Launch payload assembly, item 3
/**
 * The project's commands in turn, in one shell that has the agent's environment: what a command sets, the next one sees.
 * Answers the environment that they leave to the agent. One that ends the shell itself, well, leaves none of its
 * variables, and another shell goes on behind it. What a command leaves running stays until the run ends. Whoever
 * calls ends what is left when one fails, or when the run is stopped meanwhile.
 */
export async function runPreLaunchCommands(
  run: Run,
  plan: LaunchPlan,
  surroundings: Surroundings,
): Promise<Record<string, string>> {
  const count = plan.preLaunchCommands.length
  if (count === 0) return plan.environment
  const { preLaunchSeconds } = run.order.timing
  const overtime = new AbortController()
  const timer = setTimeout(() => overtime.abort(), preLaunchSeconds * 1000)
  let environment = plan.environment
  try {
    openVariableFiles(run.folder, count)
    for (let from = 0; from < count;) {
      const shell = { ...surroundings, overtime: overtime.signal, from }
      const { left, next } = await runShell(run, { ...plan, environment }, shell)
      environment = { ...(left ?? environment) }
      from = next
    }
    return keepOwn(environment, plan.environment, homeAt(run.order.home))
  } finally {
    clearTimeout(timer)
  }
}

interface Shell extends Surroundings {
  overtime: AbortSignal
  /** The first command that it carries out. */
  from: number
}

interface ShellEnd {
  left: Record<string, string> | undefined
  /** The command behind the last one that it came to. */
  next: number
}

/** Throws where a command fails. */
async function runShell(
  run: Run,
  plan: LaunchPlan,
  { output, stopping, onStarted, onLeft, overtime, from }: Shell,
): Promise<ShellEnd> {
  const count = plan.preLaunchCommands.length
  const known: ShellEnd = { left: undefined, next: from }
  const look = () => {
    for (; known.next < count; known.next += 1) {
      const left = readLeft(run.folder, known.next)
      if (left === undefined) return
      known.left = left
      onLeft(left)
    }
  }
  stopping.signal.throwIfAborted()
  const { child, identity } = await startShell(run, plan, from)
  const { pid, startedAt: pidStartedAt } = identity
  let shown = Buffer.alloc(0)
  const reader = output.read(child, {
    arriving: look,
    shown: (bytes) => (shown = Buffer.concat([shown, bytes]).subarray(-lastBytes)),
  })
  try {
    run.record({ step: 'command', index: from, pid, pidStartedAt })
  } catch (error) {
    await endRunProcesses([identity], run.marker, run.order.timing)
    throw error
  }
  onStarted(identity)
  const either = AbortSignal.any([stopping.signal, overtime])
  const exit = await orAborted(exitOf(child), either).catch((error: unknown) => {
    stopping.signal.throwIfAborted()
    look()
    if (overtime.aborted) throw overran(nameOf(known.next, count), run)
    throw error
  })
  await reader.settled()
  look()
  if (exit.exitCode !== 0) throw failed(nameOf(known.next, count), exit, printedBy(shown))
  // one that it came to and that left nothing has ended it
  return { ...known, next: Math.min(count, known.next + 1) }
}

async function startShell(run: Run, plan: LaunchPlan, from: number): Promise<StartedProcess> {
  const commands = plan.preLaunchCommands
  try {
    return await startProcess('/bin/sh', shellArguments(run.folder, commands, from), plan)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `${nameOf(from, commands.length)} does not start: ${reason}.`
    const failure = new LaunchFailure('pre_command_failed', message, 'pre_launch', { cause: error })
    throw noRoomFor(error) ?? failure
  }
}

/** What the last command printed, without the line that announces it, taken from the end of the shell's output. */
function printedBy(shown: Buffer): string {
  const text = shown.toString('utf8')
  const announced = [...text.matchAll(/^\[Pre-launch command \d+ of \d+\]\n/gm)].at(-1)
  return announced === undefined ? text : text.slice(announced.index + announced[0].length)
}

function failed(name: string, { exitCode, signal }: Exit, shown: string): LaunchFailure {
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`
  const lines = shown.trimEnd().split('\n').slice(-lastLines).join('\n')
  const last = lines === '' ? 'It printed nothing.' : `It printed last:\n${lines}`
  const text = `${name} ${how}, so the agent was not started: correct the command in the project's launch settings, or what it needs on this machine. ${last}`
  return new LaunchFailure('pre_command_failed', text, 'pre_launch')
}

function overran(name: string, { order }: Run): LaunchFailure {
  const minutes = Math.ceil(order.timing.preLaunchSeconds / 60)
  const text = `${name} was still running when the ${minutes} minutes for all of them were over: make it shorter, or leave it in the background.`
  return new LaunchFailure('pre_command_timeout', text, 'pre_launch')
}
