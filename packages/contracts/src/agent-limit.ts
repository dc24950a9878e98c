import { z } from 'zod'
import { Timestamp } from './ids.ts'

/**
 * What keeps a provider from taking work, which is no failure of the run: the quota of the account is used up, too many
 * calls came at once, or nobody is signed in. Decision 87.
 */
export const AgentLimit = z.enum(['quota', 'rate_limit', 'signed_out'])
export type AgentLimit = z.infer<typeof AgentLimit>

export function isAgentLimit(reason: string): reason is AgentLimit {
  return AgentLimit.safeParse(reason).success
}

/** Behind the name of the agent, as in `claude: the quota of its account is used up`. */
const words: Readonly<Record<AgentLimit, string>> = {
  quota: 'the quota of its account is used up',
  rate_limit: 'its provider takes no more calls for now',
  signed_out: 'nobody is signed in to it',
}

export function describeLimit(kind: AgentLimit): string {
  return words[kind]
}

/** A limit that a run met. `until` is missing where the provider names no end. */
export const MetLimit = z.strictObject({ kind: AgentLimit, until: Timestamp.optional() })
export type MetLimit = z.infer<typeof MetLimit>

/** Until when something waits for an agent, and why. */
export const AgentHold = z.strictObject({ agent: z.string(), reason: AgentLimit, until: Timestamp })
export type AgentHold = z.infer<typeof AgentHold>

export function describeHold({ agent, reason, until }: AgentHold): string {
  return `${agent}: ${describeLimit(reason)}; it is tried again at ${until}`
}
