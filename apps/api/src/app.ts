import type { Domain } from '@svc/domain/domain'
import type { HttpApp } from '@svc/http/create-app'
import { guardHost } from '@svc/http/guard-host'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { Log } from '@svc/process/log'
import { createServiceApp } from '@svc/service/app'
import { callerOf } from '@svc/service/limits'
import type { OpenIdClient } from '@svc/service/openid'
import { authenticateCaller, recallCaller } from './credentials/authenticate.ts'
import { bindDescription } from './description.ts'
import { bindFeeds } from './feed.ts'
import { type OAuthOptions, bindOAuth } from './oauth/bind-oauth.ts'
import { bindPages } from './pages/bind-pages.ts'
import { bindNothingHere } from './pages/nothing-here.ts'
import type { ApiParts } from './parts.ts'
import { bindProtocol } from './protocol.ts'
import { bindRest } from './routes.ts'
import { bindTools } from './tools.ts'
import { bindWeb } from './web/bind-web.ts'
import { type WebApp, builtWebApp } from './web-app.ts'

export interface ApiOptions {
  domain: Domain
  log: Log
  limiter: RateLimiter
  /** The public origin, asked per request: who takes a free port knows it once it listens. */
  baseUrl: () => string
  /** Further hosts, in addition to that of the public origin. */
  servedHosts?: readonly string[] | undefined
  /** Clients get access to the MCP endpoint by themselves; left out, they do not. */
  oauth?: OAuthOptions | undefined
  /** The providers that people sign in by; none when left out. */
  openId?: readonly OpenIdClient[] | undefined
  /** The web app, asked per request: the standalone app builds it at its first start. */
  webApp?: (() => WebApp) | undefined
  /** What else one process serves on this origin, such as the MCP endpoint. */
  bindMore?: ((app: HttpApp, parts: ApiParts) => void) | undefined
}

/** REST, agent protocol, tools, live feeds, their description, the pages, the web app and health on one app. */
export function createApi(options: ApiOptions): HttpApp {
  const { domain, log, limiter, baseUrl, oauth, openId = [], bindMore } = options
  const app = createServiceApp(domain, log)
  guardHost(app, { baseUrl, served: options.servedHosts ?? [] })
  const parts: ApiParts = {
    domain,
    log,
    limiter,
    baseUrl,
    authenticate: (presented) => authenticateCaller({ domain, baseUrl }, presented),
    recall: (presented, name) => recallCaller({ domain, baseUrl }, presented, name),
    callerOf,
    openId,
  }
  bindDescription(app)
  bindFeeds(app, parts)
  bindRest(app, parts)
  bindProtocol(app, parts)
  bindTools(app, parts)
  bindPages(app, parts)
  if (oauth) bindOAuth(app, { ...parts, ...oauth })
  bindMore?.(app, parts)
  bindWeb(app, parts, options.webApp ?? builtWebApp)
  bindNothingHere(app)
  return app
}
