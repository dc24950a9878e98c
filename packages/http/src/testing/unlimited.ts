import type { LimiterSettings } from '../rate-limit.ts'

/** No limit and no proxy. */
export const unlimited: LimiterSettings = {
  reads: 0,
  writes: 0,
  agentCalls: 0,
  claims: 0,
  keyedCalls: 0,
  workspaceCalls: 0,
  failedAuthentications: 0,
  trustedProxies: [],
}
