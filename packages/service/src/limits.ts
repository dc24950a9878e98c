import type { Actor } from '@svc/domain/common/actor'
import type { BucketOptions } from '@svc/http/buckets'
import { type Caller, type RateLimiter, createRateLimiter } from '@svc/http/rate-limit'
import { variable } from '@svc/process/env'
import { z } from 'zod'

/** What calls are limited by: read by whoever answers them. */
export const LimitsEnvironment = z.object({
  SVC_TRUSTED_PROXIES: variable('SVC_TRUSTED_PROXIES'),
  SVC_LIMIT_READS: variable('SVC_LIMIT_READS'),
  SVC_LIMIT_WRITES: variable('SVC_LIMIT_WRITES'),
  SVC_LIMIT_AGENT_CALLS: variable('SVC_LIMIT_AGENT_CALLS'),
  SVC_LIMIT_CLAIMS: variable('SVC_LIMIT_CLAIMS'),
  SVC_LIMIT_KEYED_CALLS: variable('SVC_LIMIT_KEYED_CALLS'),
  SVC_LIMIT_WORKSPACE_CALLS: variable('SVC_LIMIT_WORKSPACE_CALLS'),
  SVC_LIMIT_FAILED_AUTHENTICATIONS: variable('SVC_LIMIT_FAILED_AUTHENTICATIONS'),
})

export function limiterOf(
  environment: z.infer<typeof LimitsEnvironment>,
  options?: BucketOptions,
): RateLimiter {
  const settings = {
    trustedProxies: environment.SVC_TRUSTED_PROXIES,
    reads: environment.SVC_LIMIT_READS,
    writes: environment.SVC_LIMIT_WRITES,
    agentCalls: environment.SVC_LIMIT_AGENT_CALLS,
    claims: environment.SVC_LIMIT_CLAIMS,
    keyedCalls: environment.SVC_LIMIT_KEYED_CALLS,
    workspaceCalls: environment.SVC_LIMIT_WORKSPACE_CALLS,
    failedAuthentications: environment.SVC_LIMIT_FAILED_AUTHENTICATIONS,
  }
  return createRateLimiter(settings, options)
}

/** Whose calls those of an actor are counted among. */
export function callerOf({ credential, workspaceId }: Actor): Caller {
  return { tokenId: credential.id, workspaceId }
}
