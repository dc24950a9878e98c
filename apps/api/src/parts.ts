import type { Actor } from '@svc/domain/actor'
import type { Domain } from '@svc/domain/domain'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { Log } from '@svc/process/log'

/** What every part of the API needs to serve a call. */
export interface ApiParts {
  domain: Domain
  log: Log
  limiter: RateLimiter
  authenticate: (bearer: string | undefined) => Promise<Actor>
  tokenIdOf: (actor: Actor) => string
}
