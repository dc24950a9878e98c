import { type Domain, defaultSeconds, openDomain } from '@svc/domain/domain'
import { checkReady } from '@svc/domain/ready'
import { createApp } from '@svc/http/create-app'
import { bindHealth } from '@svc/http/health'
import { serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { type Dispatching, startDispatcher } from './dispatcher.ts'
import type { DispatcherEnvironment } from './env.ts'
import { openOutbound } from './outbound.ts'
import { type DispatcherLimits, type DispatcherTiming, defaultDispatcherTiming } from './timing.ts'

export interface Dispatcher extends Dispatching {
  readonly domain: Domain
}

export interface OpenDispatcherOptions {
  environment: DispatcherEnvironment
  log: Log
  timing?: Partial<DispatcherTiming>
  limits?: Partial<DispatcherLimits>
  /** Health is served on the environment's host and port unless this is false, as inside another app. */
  health?: boolean
}

/** A whole dispatcher process short of its signals: domain, loops, health. */
export async function openDispatcher(options: OpenDispatcherOptions): Promise<Dispatcher> {
  const { environment, log, timing = {}, limits = {}, health = true } = options
  await using opened = new AsyncDisposableStack()
  const { superviseSeconds } = { ...defaultDispatcherTiming, ...timing }
  const domain = opened.use(await openDomainOf(environment, log, superviseSeconds))
  const dispatching = opened.use(startDispatcher({ domain, log, timing, limits }))
  // closed first, so that it says that it stops while attempts come to their end
  if (health) opened.use(await serveHealth(environment, domain, log))
  const resources = opened.move()
  return {
    ...dispatching,
    domain,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function serveHealth(environment: DispatcherEnvironment, domain: Domain, log: Log) {
  const app = createApp(log)
  bindHealth(app, () => checkReady(domain))
  const { SVC_HOST: host, SVC_PORT: port } = environment
  return serve({ app, host, port, drainSeconds: 0, log })
}

function openDomainOf(
  environment: DispatcherEnvironment,
  log: Log,
  superviseSeconds: number,
): Promise<Domain> {
  const directUrl = environment.SVC_DATABASE_DIRECT_URL
  return openDomain({
    databaseUrl: environment.DATABASE_URL,
    ...(directUrl !== undefined && { directUrl }),
    poolSize: environment.SVC_POOL_SIZE,
    secretKeys: environment.SVC_SECRET_KEYS,
    notify: environment.SVC_NOTIFY,
    seconds: defaultSeconds,
    log,
    outbound: openOutbound(environment.SVC_WEBHOOK_ALLOWED_HOSTS),
    superviseSeconds,
  })
}
