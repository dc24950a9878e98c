import type { MetLimit } from '@svc/contracts/agent-limit'
import type { ExitCause } from '@svc/contracts/runner'
import { parseMessage } from '../agents/acp/message.ts'
import { classifyError } from '../agents/limits.ts'
import { holdAgent, ofLimits, ofLooks } from '../files/holds.ts'
import { homeAt } from '../files/home.ts'
import { findStep } from './journal.ts'
import type { Run } from './run.ts'

/** As much of it is kept for the report of the end. */
export const lastOutputBytes = 8_000

interface End {
  exitCode: number | null
  cause: ExitCause
  lastOutput: string
}

/** Ends that a limit can explain. After any other, such as a cancel, the last output is not searched for one. */
const ownCauses: readonly ExitCause[] = ['agent', 'supervisor_lost', 'host_rebooted']

/**
 * The limit of its provider that ended the agent. One that ended well has got past it. Read from the journal, so that it is
 * known to whoever reports the end; what stands in no event is looked for in the last output.
 */
export function findLimit(run: Run, { exitCode, cause, lastOutput }: End): MetLimit | undefined {
  if (!ownCauses.includes(cause)) return undefined
  const { limits = [], protocol } = run.order.agent?.adapter ?? {}
  const limited = findStep(run.steps(), 'limited')
  // a turn that failed is over, and its agent may then exit with 0; so may one that is ended for its limit
  const isOver = limited !== undefined && (limited.endsRun === true || protocol === 'acp')
  if (exitCode === 0 && !isOver) return undefined
  if (limited) return { kind: limited.kind, ...(limited.until && { until: limited.until }) }
  const message = protocol === 'acp' ? printedIn(lastOutput) : lastOutput
  return classifyError(limits, { message, exitCode }, new Date())
}

/**
 * What an agent that is spoken with has printed between its messages. These, and the notes on what it was allowed, hold
 * what it has read and run, which may well be about limits; so may a first line whose beginning is cut off.
 */
function printedIn(lastOutput: string): string {
  const isNote = (line: string) => line.startsWith('[') && line.endsWith(']')
  return lastOutput
    .split('\n')
    .slice(Buffer.byteLength(lastOutput) < lastOutputBytes ? 0 : 1)
    .filter((line) => !isNote(line) && parseMessage(line) === undefined)
    .join('\n')
}

/** This machine offers the agent no more until then; before the service hears of it, which gives the run to whoever asks. */
export function holdAgentOf(run: Run, limit: MetLimit): void {
  const { assignment, home, agent: started } = run.order
  const isAsked = limit.kind === 'signed_out' && started?.adapter.signIn !== undefined
  const pace = isAsked ? ofLooks : ofLimits
  try {
    holdAgent(homeAt(home), assignment.executionRequest.agent, limit, { pace })
  } catch (error) {
    run.log.warn({ err: error }, 'the hold of the agent could not be written')
  }
}
