import {
  type ConversationUsage,
  type Usage,
  addUsage,
  millionthsOf,
  usageKinds,
  usdOf,
} from '@svc/contracts/usage'
import type { ExecutionRequestRow, ObjectiveRow } from '@svc/db/tables'
import { goesOnWithConversation } from '../entities/execution-requests/conversation.ts'

type Counted = NonNullable<ObjectiveRow['conversation']>

/**
 * What a run has used of that which its agent says of the whole conversation: what was not counted with an earlier run of
 * it. Nothing is known of what a later one has been counted with. `counted` is how far it has been counted then.
 */
export function partOf(
  counted: Counted | null,
  request: Pick<ExecutionRequestRow, 'seq' | 'kind' | 'attempt'>,
  told: ConversationUsage,
): { part: Usage; counted: Counted | null } {
  const { seq } = request
  const isLate = counted !== null && counted.seq > seq
  const mayGoOn = goesOnWithConversation(request)
  const isSame = mayGoOn && counted?.externalSessionId === told.externalSessionId
  if (!isSame) {
    // how far a conversation was counted is known no more once another one has been
    if (isLate) return { part: mayGoOn ? {} : told.usage, counted }
    return { part: told.usage, counted: { ...told, seq } }
  }
  const known = inAmounts(counted.usage)
  const parts: Amounts = {}
  const now: Amounts = { ...known }
  const said = inAmounts(told.usage)
  for (const what of usageKinds) {
    const value = said[what]
    const before = known[what] ?? 0
    if (value === undefined || (value < before && isLate)) continue
    // the agent has begun to count anew where it says less than before
    parts[what] = value < before ? value : value - before
    now[what] = value
  }
  const usage = inUsage(now)
  return { part: inUsage(parts), counted: { ...told, usage, seq: Math.max(seq, counted.seq) } }
}

/** The usage of a run, whichever way its agent tells each part of it. */
export function usageAlone(alone: Usage | undefined, part: Usage | undefined): Usage | undefined {
  return alone && part ? addUsage(alone, part) : (alone ?? part)
}

/** Money in millionths. */
type Amounts = { [What in keyof Usage]?: number | undefined }

function inAmounts({ usd, ...tokens }: Usage): Amounts {
  return { ...tokens, ...(usd !== undefined && { usd: millionthsOf(usd) }) }
}

function inUsage({ usd, ...tokens }: Amounts): Usage {
  return { ...tokens, ...(usd !== undefined && { usd: usdOf(usd) }) }
}
