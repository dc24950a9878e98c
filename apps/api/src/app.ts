import { authenticate } from '@svc/domain/access/authenticate'
import type { Domain } from '@svc/domain/domain'
import type { HttpApp } from '@svc/http/create-app'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { Log } from '@svc/process/log'
import { createServiceApp } from '@svc/service/app'
import { callerOf } from '@svc/service/limits'
import { bindDescription } from './description.ts'
import { bindFeeds } from './feed.ts'
import type { ApiParts } from './parts.ts'
import { bindProtocol } from './protocol.ts'
import { bindRest } from './routes.ts'
import { bindTools } from './tools.ts'

export interface ApiOptions {
  domain: Domain
  log: Log
  limiter: RateLimiter
  /** What else one process serves on this origin, such as the MCP endpoint. */
  bindMore?: ((app: HttpApp, parts: ApiParts) => void) | undefined
}

/** REST, agent protocol, tools, live feeds, their description and health on one app. */
export function createApi({ domain, log, limiter, bindMore }: ApiOptions): HttpApp {
  const app = createServiceApp(domain, log)
  const parts: ApiParts = {
    domain,
    log,
    limiter,
    authenticate: (bearer) => authenticate(domain, bearer, 'api'),
    callerOf,
  }
  bindDescription(app)
  bindFeeds(app, parts)
  bindRest(app, parts)
  bindProtocol(app, parts)
  bindTools(app, parts)
  bindMore?.(app, parts)
  return app
}
