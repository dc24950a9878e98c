import type { Client } from '@svc/client/client'
import type { Rights } from '@svc/contracts/rights'
import type { FoundAgent } from '../agents/discover.ts'
import type { Timing } from '../run/order.ts'
import type { RunLog } from '../run/run-log.ts'
import type { AgentToken } from './agent-token.ts'
import type { DaemonContext, Service } from './claim.ts'
import { isOfToken, whatFollows } from './daemon-error.ts'
import type { Runs } from './runs.ts'
import type { CheckoutWatch } from './watch-checkouts.ts'

export interface DaemonOptions {
  /** Folder of the runner; only one daemon may use it. */
  home: string
  service: Service
  /** What agents call the service with; the runner's own token when left out. */
  agentToken?: AgentToken
  /** What agents may do at most, whatever a project says; `SVC_RUNNER_MAX_RIGHTS` when left out. */
  maxRights?: Rights | undefined
  projects?: 'all' | readonly string[]
  /** What the service calls this runner; the name of the machine when left out. */
  label?: string | undefined
  /** Runs at once. */
  max?: number | undefined
  /** Keys of the agents to offer; all that are found when left out. */
  agents?: readonly string[] | undefined
  /** Main module of the scripted agent; `SVC_SCRIPTED_AGENT` when left out. */
  scriptedAgent?: string | undefined
  /** Main module of the `svc` command, which agents are to find on their PATH. */
  cliEntry?: string | undefined
  /** Ends by itself after one run. */
  once?: boolean
  /** Takes none, and ends once the runs that it finds are over. */
  takesNone?: boolean
  /** It is gone after that run, or where none waits: it clones what it works in, and pushes before it delivers. */
  ephemeral?: boolean
  timing?: Partial<Timing>
  /** How often folders of runs that ended long ago, and worktrees that nothing keeps, are looked for; hourly when left out. */
  pruneMs?: number
  /** What supervisors and agents inherit. */
  env?: NodeJS.ProcessEnv
  log: RunLog
  /** Told once where the service is of a version that is too far from this one. */
  onOtherVersion?: (served: string) => void
}

/** What the parts of a daemon share. */
export interface State {
  options: DaemonOptions
  context: DaemonContext
  runs: Runs
  watch: CheckoutWatch
  env: NodeJS.ProcessEnv
  max: number
  agents: FoundAgent[]
  heartbeatSeconds: number
  draining: AbortController
  /** Aborted, and replaced, when what a claim says about this machine is no longer true. */
  changed: AbortController
  /** Runs are ended, too. */
  ending: boolean
  /** A claim was answered: the service knows this runner. */
  isKnown: boolean
  failure: Error | undefined
  client: Client
}

export function drain(state: State, failure?: Error): void {
  const running = state.runs.running()
  if (failure !== undefined && state.failure === undefined) {
    const isOut = isOfToken(failure)
    if (isOut) state.runs.leaveToNext()
    if (running > 0) state.options.log.warn({ runs: running }, whatFollows(failure, isOut))
  }
  state.failure ??= failure
  state.draining.abort(new Error('the daemon takes no more work'))
  state.runs.stopAll({ unlessSpawned: !state.ending })
}

/** A waiting claim is asked again with what is true now; its id stays, so that an answer on its way is not lost. */
export function renewClaim(state: State): void {
  const { changed } = state
  state.changed = new AbortController()
  changed.abort(new Error('what this machine has to offer changed'))
}
