import { basename } from 'node:path'
import { errorCode } from '@svc/process/untrusted-file'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { type StartedProcess, startProcess } from '../processes/start-process.ts'

interface Choice {
  stdin?: 'ignore' | 'pipe'
  /** What starts the program, with the program and its arguments behind its own. */
  through?: readonly [string, ...string[]]
}

/** Starts what is planned. A refusal of the system is thrown as what it means for the run. */
export async function startOrExplain(
  plan: LaunchPlan,
  { stdin = 'ignore', through }: Choice = {},
): Promise<StartedProcess> {
  const [file, ...args] = [...(through ?? []), plan.file, ...plan.arguments]
  try {
    return await startProcess(file ?? plan.file, args, { ...plan, stdin })
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
    // its path on this machine is not shown to everybody who may read the mission
    text.replaceAll(plan.file, basename(plan.file)),
    'spawn',
    { cause: error },
  )
}
