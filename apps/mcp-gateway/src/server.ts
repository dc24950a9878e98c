import { type Serving, serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { openDomainOf } from '@svc/service/domain'
import { limiterOf } from '@svc/service/limits'
import { openMetrics } from '@svc/service/metrics'
import { openTraces } from '@svc/service/traces'
import { createGateway } from './app.ts'
import type { GatewayEnvironment } from './env.ts'

/** A whole gateway process short of its signals. */
export async function openGateway(
  environment: GatewayEnvironment,
  log: Log,
): Promise<AsyncDisposable & Pick<Serving, 'url'>> {
  await using opened = new AsyncDisposableStack()
  opened.use(await openTraces({ environment, app: 'mcp-gateway', log }))
  const domain = opened.use(await openDomainOf(environment, { log }))
  opened.use(await openMetrics({ environment, domain, log }))
  const app = createGateway({
    domain,
    log,
    limiter: limiterOf(environment),
    baseUrl: () => environment.SVC_BASE_URL,
    servedHosts: environment.SVC_SERVED_HOSTS,
    isEnabled: environment.SVC_MCP_ENABLED,
  })
  const serving: Serving = await serve({
    app,
    host: environment.SVC_HOST,
    port: environment.SVC_PORT,
    drainSeconds: environment.SVC_DRAIN_SECONDS,
    log,
  })
  opened.use(serving)
  const resources = opened.move()
  return { url: serving.url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
