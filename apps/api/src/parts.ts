import type { Actor } from '@svc/domain/common/actor'
import type { Recalled } from '@svc/domain/common/recalled'
import type { Domain } from '@svc/domain/domain'
import type { Caller, RateLimiter } from '@svc/http/rate-limit'
import type { HttpContext, Presented } from '@svc/http/request-context'
import type { OpenIdClient } from '@svc/service/openid'
import type { Log } from '@svc/process/log'

/** What every part of the API needs to serve a call. */
export interface ApiParts {
  domain: Domain
  log: Log
  limiter: RateLimiter
  authenticate: (presented: Presented) => Promise<Actor>
  /** Who called before, for calls that one transaction does all of. */
  recall: (presented: Presented, name: string) => Recalled | undefined
  /** The public origin, asked per request: who takes a free port knows it once it listens. */
  baseUrl: () => string
  callerOf: (actor: Actor) => Caller
  /** The providers that people sign in by. */
  openId: readonly OpenIdClient[]
}

/** Who calls what no contract describes; counted as any other call. */
export async function admit(
  context: HttpContext,
  { limiter, authenticate, callerOf }: ApiParts,
): Promise<Actor> {
  const actor = await limiter.authenticate(context, authenticate)
  limiter.take({ ...callerOf(actor), isRead: context.req.method === 'GET' })
  return actor
}
