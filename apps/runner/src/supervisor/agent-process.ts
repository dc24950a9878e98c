import { basename } from 'node:path'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { ProcessIdentity } from '@svc/process/process-identity'
import { type OutputEvents, readOutputEvents } from '../agents/output-events.ts'
import { errorCode } from '@svc/process/untrusted-file'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { type Exit, type StartedProcess, exitOf, startProcess } from '../processes/start-process.ts'
import type { Run } from '../run/run.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import type { RunOutput } from './run-output.ts'

export interface AgentProcess {
  readonly identity: ProcessIdentity
  readonly events: OutputEvents
  /** The agent's own process has gone; members of its group may live on and hold its pipes. */
  readonly exited: Promise<Exit>
}

interface Heard {
  sessionId: (externalSessionId: string) => void
  error: (error: string) => void
  limit: (limit: MetLimit) => void
}

/** Starts the agent in its own process group. Refusals of the system are reported as what they mean. */
export async function spawnAgent(
  run: Run,
  plan: LaunchPlan,
  output: RunOutput,
  heard: Heard,
): Promise<AgentProcess> {
  const adapter = run.order.agent?.adapter
  if (adapter === undefined) throw new Error('an agent without an adapter cannot be planned')
  const { child, identity } = await start(plan)
  const events = readOutputEvents(adapter, heard.sessionId, heard.error, heard.limit)
  output.read(child, { raw: events.push })
  return { identity, events, exited: exitOf(child) }
}

async function start(plan: LaunchPlan): Promise<StartedProcess> {
  try {
    return await startProcess(plan.file, plan.arguments, plan)
  } catch (error) {
    throw noRoomFor(error) ?? explain(error, plan)
  }
}

/** The machine is too busy now, and may not be later. */
export function noRoomFor(error: unknown): LaunchRelease | undefined {
  const code = errorCode(error)
  if (code !== 'EAGAIN' && code !== 'ENOMEM') return undefined
  const message = 'The machine has no room for another process now.'
  return new LaunchRelease('spawn_eagain', message, { cause: error })
}

function explain(error: unknown, plan: LaunchPlan): LaunchFailure {
  const reason = error instanceof Error ? error.message : String(error)
  const text = `${plan.file} does not start: ${reason}. Install or repair it, then launch again.`
  return new LaunchFailure(
    errorCode(error) === 'E2BIG' ? 'bad_flag' : 'agent_not_found',
    // where it lies on this machine is not for everybody who may read the mission
    text.replaceAll(plan.file, basename(plan.file)),
    'spawn',
    { cause: error },
  )
}
