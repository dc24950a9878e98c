import type { Domain } from '@svc/domain/domain'
import { serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { createServiceApp } from '@svc/service/app'
import { openComposer } from '@svc/service/composer'
import { openDomainOf } from '@svc/service/domain'
import { openMetrics } from '@svc/service/metrics'
import { openTraces } from '@svc/service/traces'
import { openOutbound } from '@svc/outbound/open-outbound'
import { type Dispatching, startDispatcher } from './dispatcher.ts'
import type { DispatcherEnvironment } from './env.ts'
import { type DispatcherLimits, type DispatcherTiming, defaultDispatcherTiming } from './timing.ts'

export interface Dispatcher extends Dispatching {
  readonly domain: Domain
}

export interface OpenDispatcherOptions {
  environment: DispatcherEnvironment
  log: Log
  timing?: Partial<DispatcherTiming>
  limits?: Partial<DispatcherLimits>
  /** Health and metrics are served at the environment's host and ports, and traces sent, unless this is false, as inside another app. */
  health?: boolean
}

/** A whole dispatcher process short of its signals: domain, loops, health. */
export async function openDispatcher(options: OpenDispatcherOptions): Promise<Dispatcher> {
  const { environment, log, timing = {}, limits = {}, health = true } = options
  const composer = openComposer(environment)
  await using opened = new AsyncDisposableStack()
  if (health) opened.use(await openTraces({ environment, app: 'dispatcher', log }))
  const { superviseSeconds } = { ...defaultDispatcherTiming, ...timing }
  const outbound = openOutbound(environment.SVC_WEBHOOK_ALLOWED_HOSTS)
  const domain = opened.use(await openDomainOf(environment, { log, outbound, superviseSeconds }))
  const dispatching = opened.use(startDispatcher({ domain, composer, log, timing, limits }))
  // closed first, so that it says that it stops while attempts come to their end
  if (health) {
    opened.use(await openMetrics({ environment, domain, log }))
    opened.use(await serveHealth(environment, domain, log))
  }
  const resources = opened.move()
  return {
    ...dispatching,
    domain,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function serveHealth(environment: DispatcherEnvironment, domain: Domain, log: Log) {
  const app = createServiceApp(domain, log)
  const { SVC_HOST: host, SVC_PORT: port } = environment
  return serve({ app, host, port, drainSeconds: 0, log })
}
