import type { Domain } from '@svc/domain/domain'
import type { HttpApp } from '@svc/http/create-app'
import { guardHost } from '@svc/http/guard-host'
import type { RateLimiter } from '@svc/http/rate-limit'
import type { Log } from '@svc/process/log'
import { createServiceApp } from '@svc/service/app'
import { bindMcp } from './route.ts'

export interface GatewayOptions {
  domain: Domain
  log: Log
  /** The public origin, asked per request: who takes a free port knows it once it listens. */
  baseUrl: () => string
  /** In one process with the API that of the API, so that a token's calls are counted together. */
  limiter: RateLimiter
}

/** Adds the endpoint and its documents to an app, whatever else that serves. */
export function bindGateway(app: HttpApp, options: GatewayOptions): void {
  bindMcp(app, options)
}

/** The app of a gateway process. Not enabled, it serves its health and nothing else. */
export function createGateway({
  isEnabled,
  servedHosts = [],
  ...options
}: GatewayOptions & { isEnabled: boolean; servedHosts?: readonly string[] }): HttpApp {
  const app = createServiceApp(options.domain, options.log)
  guardHost(app, { baseUrl: options.baseUrl, served: servedHosts })
  if (isEnabled) bindGateway(app, options)
  return app
}
