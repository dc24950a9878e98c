import { type AgentLimit, describeLimit } from './agent-limit.ts'
import type { ExecutionRequest } from './execution-request.ts'
import type { ExitCause } from './runner.ts'

type Exit = Pick<NonNullable<ExecutionRequest['exit']>, 'cause' | 'exitCode' | 'signal'> & {
  agentError?: string | null | undefined
  limit?: AgentLimit | null | undefined
}

/** What ended an agent where it was not the agent itself. */
const causes: Readonly<Record<string, string>> = {
  cancelled: 'the run was cancelled',
  max_runtime: 'it ran for longer than it may',
  handed_over: 'it was handed over',
  supervisor_lost: 'its supervisor was lost',
  host_rebooted: 'its machine was started anew',
  runner_stopped: 'its runner was stopped',
} satisfies Record<Exclude<ExitCause, 'agent'>, string>

/** How an agent's process ended, in a few words behind a colon. */
export function describeExit({ cause, exitCode, signal, ...exit }: Exit): string {
  const ended = signal === null ? `exit code ${exitCode ?? 'unknown'}` : `ended by ${signal}`
  if (exit.limit) return `${describeLimit(exit.limit)}, ${ended}${agentSaid(exit.agentError)}`
  if (cause !== 'agent') return `${causes[cause] ?? cause}, ${ended}`
  // what went wrong on the way to a good end is nobody's concern
  return exitCode === 0 ? ended : `${ended}${agentSaid(exit.agentError)}`
}

/** Behind what became of a run; nothing where the agent said nothing. */
export function agentSaid(error: string | null | undefined): string {
  return error ? `. The agent said: ${error}` : ''
}
