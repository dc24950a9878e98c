import { type AgentHold, describeHold, isAgentLimit } from './agent-limit.ts'
import { agentSaid, describeExit } from './describe-exit.ts'
import type { ExecutionRequest } from './execution-request.ts'
import { isLive } from './states.ts'

/** What became of a run, in a word. */
export function stateOfRun(run: ExecutionRequest): string {
  const state = run.outcome ?? run.status
  const isEnding = run.cancelRequestedAt != null && isLive(run)
  return isEnding ? `${state}, being cancelled` : state
}

/** How its process ended. One that was called off has neither failed nor delivered, whatever it ended with. */
export function exitOfRun(run: ExecutionRequest): string | undefined {
  if (!run.exit) return undefined
  const endedByItself = stateOfRun(run) === 'cancelled' && run.exit.cause === 'agent'
  return endedByItself ? 'cancelled; its agent then ended by itself' : describeExit(run.exit)
}

const whys: Readonly<Record<string, string>> = {
  lost: 'nothing was heard of the agent for too long',
  cancelled: 'it was called off, or somebody else took the objective over',
}

/** Why a run that is over brought no delivery, without the step that helps. */
export function whyRunEnded(run: ExecutionRequest): string | undefined {
  if (isLive(run) || run.outcome === 'delivered') return undefined
  if (run.goneOn) return 'it ended while it waited, and another run went on with its work'
  if (run.failure) return `${run.failure.code}: ${run.failure.message}`
  const how = exitOfRun(run) ?? whys[stateOfRun(run)]
  // a service of before says nothing of it
  if (run.refusedFor == null) return how
  const refused = `its delivery was refused: ${run.refusedFor}`
  return how === undefined ? refused : `${refused}; then ${how}`
}

/** Why a run that was given back has not started yet, without what would end it. */
export function whyReleased(run: ExecutionRequest): string | undefined {
  if (run.lastRelease == null || run.status === 'launched' || !isLive(run)) return undefined
  const hold = holdOf(run)
  if (hold) return `${describeHold(hold)}${agentSaid(run.lastRelease.detail)}`
  return run.lastRelease.detail ?? run.lastRelease.reason
}

/** Until when a run that has not begun waits for its agent's provider, and why. */
export function holdOf(run: ExecutionRequest): AgentHold | undefined {
  const { reason = '', until = null } = run.lastRelease ?? {}
  if (run.status !== 'queued' || until === null || !isAgentLimit(reason)) return undefined
  return { agent: run.agent, reason, until }
}
