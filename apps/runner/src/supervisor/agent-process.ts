import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { type ProcessIdentity, readProcess } from '@svc/process/process-identity'
import { type OutputEvents, readOutputEvents } from '../agents/output-events.ts'
import { errorCode } from '../files/durable-file.ts'
import { type CappedOutput, createCappedOutput } from '../output/capped-output.ts'
import { createMasker } from '../output/mask.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import type { Run } from '../run/run.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'

const drainMs = 2_000

export interface Exit {
  exitCode: number | null
  signal: string | null
}

export interface AgentProcess {
  readonly identity: ProcessIdentity
  readonly output: CappedOutput
  readonly events: OutputEvents
  /** The agent's own process has gone; members of its group may live on and hold its pipes. */
  readonly exited: Promise<Exit>
  /** No more output is read, and what was held back is shown. */
  closeOutput: () => Promise<void>
}

/** Starts the agent in its own process group. Refusals of the system are reported as what they mean. */
export async function spawnAgent(
  run: Run,
  plan: LaunchPlan,
  spellings: readonly string[],
  onSessionId: (externalSessionId: string) => void,
): Promise<AgentProcess> {
  const adapter = run.order.agent?.adapter
  if (adapter === undefined) throw new Error('an agent without an adapter cannot be planned')
  const child = startChild(plan)
  // Read while the child cannot have been reaped yet.
  const identity = identityOf(child)
  await spawned(child, plan)
  const output = createCappedOutput(join(run.folder, 'output.log'))
  const events = readOutputEvents(adapter, onSessionId)
  const closeOutput = readStreams(child, output, events, spellings)
  return { identity, output, events, exited: exitOf(child), closeOutput }
}

function startChild(plan: LaunchPlan): ChildProcess {
  try {
    return spawn(plan.file, plan.arguments, {
      cwd: plan.workingDirectory,
      env: plan.environment,
      shell: false,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw explain(error, plan)
  }
}

async function spawned(child: ChildProcess, plan: LaunchPlan): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw explain(error, plan)
  }
}

function explain(error: unknown, plan: LaunchPlan): Error {
  const code = errorCode(error)
  if (code === 'EAGAIN' || code === 'ENOMEM') {
    return new LaunchRelease('spawn_eagain', 'The machine has no room for another process now.', {
      cause: error,
    })
  }
  const reason = error instanceof Error ? error.message : String(error)
  const told = `${plan.file} does not start: ${reason}. Install or repair it, then launch again.`
  return new LaunchFailure(
    code === 'E2BIG' ? 'bad_flag' : 'agent_not_found',
    // where it lies on this machine is not for everybody who may read the mission
    told.replaceAll(plan.file, basename(plan.file)),
    'spawn',
    { cause: error },
  )
}

function identityOf(child: ChildProcess): ProcessIdentity {
  const pid = child.pid ?? 0
  return readProcess(pid) ?? { pid, startedAt: 'gone' }
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { exitCode: child.exitCode, signal: child.signalCode }
}

/** Each stream has its own masker, so that what one holds back is not mixed into the other. */
function readStreams(
  child: ChildProcess,
  output: CappedOutput,
  events: OutputEvents,
  spellings: readonly string[],
): () => Promise<void> {
  const closings = [child.stdout, child.stderr].map((stream) => {
    const masker = createMasker(spellings)
    stream?.on('data', (chunk: Buffer) => {
      output.write(masker.push(chunk))
      if (stream === child.stdout) events.push(chunk)
    })
    const closed = new Promise((resolve) => stream?.once('close', resolve))
    return async () => {
      const timer = setTimeout(() => stream?.destroy(), drainMs)
      await closed
      clearTimeout(timer)
      output.write(masker.end())
    }
  })
  return async () => {
    await Promise.all(closings.map((close) => close()))
    output.finish()
  }
}
