/** What agents call the service with: a token of their run alone, or the runner's own. Decision 43. */
export const agentTokens = ['minted', 'own'] as const
export type AgentToken = (typeof agentTokens)[number]
