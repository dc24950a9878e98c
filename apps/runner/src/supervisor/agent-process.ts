import type { ProcessIdentity } from '@svc/process/process-identity'
import type { Adapter } from '../agents/adapter.ts'
import type { OnLimit } from '../agents/limits.ts'
import type { ToldUsage } from '../agents/told-usage.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import type { Exit } from '../processes/start-process.ts'
import type { Run } from '../run/run.ts'
import type { RunOutput } from './run-output.ts'

/** What carries the work of a run out, however it is spoken with. */
export interface AgentProcess {
  readonly identity: ProcessIdentity
  /** The agent's own process has gone; members of its group may live on and hold its pipes. */
  readonly exited: Promise<Exit>
  /** Asks it to leave off, where it can be asked, before its processes are ended. Resolves soon, and never rejects. */
  stop: () => Promise<void>
  usage: () => ToldUsage | undefined
  /** The last thing that it said went wrong, or that went wrong with it; not masked. */
  error: () => string | undefined
}

export interface AgentStart {
  run: Run
  plan: LaunchPlan
  adapter: Adapter
  output: RunOutput
  /** Spellings of the secrets that it is given. */
  spellings: readonly string[]
  /** Aborted when the run is to end. */
  stopping: AbortSignal
  heard: {
    sessionId: (externalSessionId: string) => void
    error: (error: string) => void
    limit: OnLimit
  }
}
