import { cutText } from '@svc/contracts/cut-text'
import type {
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '../agents/acp/connection.ts'
import { insideOf } from '../agents/acp/is-inside.ts'
import { type RunRights, type WantedCall, judgeCall } from '../agents/acp/judge-call.ts'
import { type Message, objectOf } from '../agents/acp/message.ts'
import {
  type PermissionQuestion,
  cancelled,
  choose,
  isShownWhole,
  questionOf,
  wantedCall,
} from '../agents/acp/permission-request.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import type { AgentSession } from '../run/agent-session.ts'
import type { Run } from '../run/run.ts'

const mostOpen = 20
const titleCharacters = 300

export interface Deciding {
  run: Run
  plan: LaunchPlan
  session: AgentSession
  /** What was said of a call before its request. */
  findCall: (toolCallId: string) => Message
  /** A text of the agent for whoever may read the mission. */
  shown: (text: string) => string
  /** Tells a reader of the log. */
  note: (sentence: string) => void
}

export interface Permissions {
  decide: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionOutcome>
  /** What the agent waits for an answer to, in words; undefined where it waits for none. */
  waiting: () => string | undefined
}

/**
 * What the rights of the run cover is allowed at once, what they forbid is refused at once, and anything else is a
 * question to a person, stored with the service before it is answered. One question after the other: a session has one
 * at a time.
 */
export function decidePermissions(deciding: Deciding): Permissions {
  const { run, plan, session, findCall, shown, note } = deciding
  const rights = rightsOf(deciding)
  const { said } = plan
  const agent = run.order.assignment.executionRequest.agent
  const open = new Set<WantedCall>()
  let line: Promise<unknown> = Promise.resolve()
  let answered = said.answered

  const nameOf = ({ command, title }: WantedCall) =>
    cutText((command ?? title).replaceAll(/\s+/g, ' ').trim(), titleCharacters)

  async function ask(
    call: WantedCall,
    { options }: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionOutcome> {
    const asked = questionOf(agent, call, options, shown)
    const before = answerOf(asked)
    if (before !== undefined) return before
    const why = whyNotAsked(call, options)
    if (why !== undefined) {
      note(`Refused, as ${why}: ${nameOf(call)}`)
      return choose(options, 'refuse')
    }
    note(`A person is asked: ${nameOf(call)}`)
    open.add(call)
    const turn = line.then(() => session.ask(asked, signal))
    line = turn.catch(() => undefined)
    try {
      const answer = await turn
      if (answer === undefined) return choose(options, 'refuse')
      note(`A person has answered ${JSON.stringify(answer.text)}: ${nameOf(call)}`)
      return asked.outcomeOf(answer)
    } catch (error) {
      if (signal.aborted) return cancelled
      run.log.warn({ err: error }, 'a permission could not be asked for')
      note(`Refused, as it could not be asked: ${nameOf(call)}`)
      return choose(options, 'refuse')
    } finally {
      open.delete(call)
    }
  }

  function whyNotAsked(
    call: WantedCall,
    { length }: RequestPermissionRequest['options'],
  ): string | undefined {
    if (session.key() === undefined) return 'nobody can be asked before the agent has attached'
    if (length === 0) return 'the agent offers no answer'
    if (open.size >= mostOpen) return `${mostOpen} questions wait already`
    return isShownWhole(call) ? undefined : 'it is too long for a person to be shown all of it'
  }

  /** What a person has said to the same before, after whoever asked had gone; it is good for one call. */
  function answerOf({ question, outcomeOf }: PermissionQuestion) {
    if (answered?.question.trim() !== question.trim()) return undefined
    const outcome = outcomeOf({ optionId: null, text: answered.answer })
    note(`A person had answered ${JSON.stringify(answered.answer)}`)
    answered = undefined
    return outcome
  }

  return {
    async decide(request, signal) {
      const { toolCall, options } = request
      const asked = objectOf(toolCall)
      const call = wantedCall(asked, findCall(toolCall.toolCallId), plan.workingDirectory)
      const verdict = judgeCall(call, rights)
      if (verdict === 'ask') return await ask(call, request, signal)
      const is = verdict === 'allow' ? 'Allowed' : 'Refused'
      note(`${is} by the rights of the run (${plan.rights}): ${nameOf(call)}`)
      return choose(options, verdict)
    },
    waiting() {
      const [first] = open
      return first && nameOf(first)
    },
  }
}

/** It may write in its working trees, and in the folder for what it needs for a while. */
function rightsOf({ run, plan }: Deciding): RunRights {
  return {
    rights: plan.rights,
    allowedCommands: run.order.assignment.launchSettings.allowedCommands ?? [],
    isInside: insideOf([plan.workingDirectory, ...plan.said.otherFolders, run.tmpDirectory]),
  }
}
