import type { Domain, DomainConfig } from '@svc/domain/domain'
import { domainLoops } from '@svc/domain/handlers/loops'
import { loopbackOrigin } from '@svc/http/loopback'
import { type Serving, serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import { openDomainOf } from '@svc/service/domain'
import { limiterOf } from '@svc/service/limits'
import { openMetrics } from '@svc/service/metrics'
import { openIdClients } from '@svc/service/openid'
import { openOutbound } from '@svc/outbound/open-outbound'
import { domainSeconds } from '@svc/service/seconds'
import { openTraces } from '@svc/service/traces'
import { type ApiOptions, createApi } from './app.ts'
import type { ApiEnvironment } from './env.ts'

export interface Api extends AsyncDisposable {
  /** The public origin. */
  readonly baseUrl: string
  /** Where it listens. */
  readonly url: string
  readonly port: number
  readonly domain: Domain
  /** For tests: each can be woken and drained. */
  readonly loops: readonly Loop[]
}

export interface OpenApiOptions {
  environment: ApiEnvironment
  log: Log
  bindMore?: ApiOptions['bindMore']
  webApp?: ApiOptions['webApp']
  heedLaunchSettings?: DomainConfig['heedLaunchSettings']
}

/** A whole API process short of its signals: domain, background loops, HTTP server. */
export async function openApi(options: OpenApiOptions): Promise<Api> {
  const { environment, log, bindMore, webApp, heedLaunchSettings } = options
  await using opened = new AsyncDisposableStack()
  opened.use(await openTraces({ environment, app: 'api', log }))
  const outbound = openOutbound(environment.SVC_WEBHOOK_ALLOWED_HOSTS)
  const seconds = domainSeconds(environment)
  const passwordLogin = environment.SVC_PASSWORD_LOGIN
  const newWorkspaces = environment.SVC_NEW_WORKSPACES
  const providers = environment.SVC_OPENID_PROVIDERS ?? []
  const issuers = providers.map(({ issuer }) => issuer)
  const openId = openIdClients({
    providers,
    allowedHosts: environment.SVC_OPENID_ALLOWED_HOSTS,
  })
  const domain = opened.use(
    await openDomainOf(environment, {
      log,
      outbound,
      seconds,
      passwordLogin,
      newWorkspaces,
      logBytes: environment.SVC_RUN_LOG_MIB * 2 ** 20,
      logQuotaBytes: environment.SVC_LOG_QUOTA_GIB * 2 ** 30,
      auditDays: environment.SVC_AUDIT_DAYS,
      issuers,
      ...(heedLaunchSettings && { heedLaunchSettings }),
    }),
  )
  const loops = domainLoops(domain).map(({ hint, ...passes }) => {
    const loop = opened.use(startLoop({ ...passes, log }))
    if (hint) opened.use(domain.wake.listen(hint, loop.wake))
    return loop
  })
  opened.use(await openMetrics({ environment, domain, log, ofService: true }))
  const limiter = limiterOf(environment)
  // whoever takes a free port knows the address only once it listens
  const { SVC_HOST: host, SVC_PORT: port } = environment
  let baseUrl = environment.SVC_BASE_URL ?? loopbackOrigin(host, port)
  const oauth = environment.SVC_MCP_ENABLED
    ? { takesDocuments: environment.SVC_OAUTH_CIMD }
    : undefined
  const app = createApi({
    domain,
    log,
    limiter,
    baseUrl: () => baseUrl,
    servedHosts: environment.SVC_SERVED_HOSTS,
    oauth,
    openId,
    webApp,
    bindMore,
  })
  const serving: Serving = opened.use(
    await serve({
      app,
      host,
      port,
      drainSeconds: environment.SVC_DRAIN_SECONDS,
      log,
    }),
  )
  baseUrl = environment.SVC_BASE_URL ?? loopbackOrigin(host, serving.port)
  const resources = opened.move()
  return {
    baseUrl,
    url: serving.url,
    port: serving.port,
    domain,
    loops,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
