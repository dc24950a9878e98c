import { type Domain, openDomain } from '@svc/domain/domain'
import { domainLoops } from '@svc/domain/handlers/loops'
import type { RateLimits } from '@svc/http/rate-limit'
import { type Serving, serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { type Loop, startLoop } from '@svc/process/loop'
import { type ApiOptions, createApi } from './app.ts'
import { type ApiEnvironment, domainSeconds } from './env.ts'
import { openOutbound } from './outbound.ts'

export interface Api extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly domain: Domain
  /** For tests: each can be woken and drained. */
  readonly loops: readonly Loop[]
}

export interface OpenApiOptions {
  environment: ApiEnvironment
  log: Log
  rateLimits?: RateLimits
  bindMore?: ApiOptions['bindMore']
}

/** A whole API process short of its signals: domain, background loops, HTTP server. */
export async function openApi(options: OpenApiOptions): Promise<Api> {
  const { environment, log, rateLimits, bindMore } = options
  await using opened = new AsyncDisposableStack()
  const domain = opened.use(await openDomainOf(environment, log))
  const loops = domainLoops(domain).map((loop) => opened.use(startLoop({ ...loop, log })))
  const app = createApi({ domain, log, rateLimits, bindMore })
  const serving: Serving = opened.use(
    await serve({
      app,
      host: environment.SVC_HOST,
      port: environment.SVC_PORT,
      drainSeconds: environment.SVC_DRAIN_SECONDS,
      log,
    }),
  )
  const resources = opened.move()
  return {
    url: serving.url,
    port: serving.port,
    domain,
    loops,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function openDomainOf(environment: ApiEnvironment, log: Log): Promise<Domain> {
  const directUrl = environment.SVC_DATABASE_DIRECT_URL
  return openDomain({
    databaseUrl: environment.DATABASE_URL,
    ...(directUrl !== undefined && { directUrl }),
    poolSize: environment.SVC_POOL_SIZE,
    secretKeys: environment.SVC_SECRET_KEYS,
    notify: environment.SVC_NOTIFY,
    seconds: domainSeconds(environment),
    log,
    outbound: openOutbound(environment.SVC_WEBHOOK_ALLOWED_HOSTS),
  })
}
