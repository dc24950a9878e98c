import { type Domain, defaultSeconds, openDomain } from '@svc/domain/domain'
import { type Serving, serve } from '@svc/http/serve'
import type { Log } from '@svc/process/log'
import { createGateway } from './app.ts'
import type { GatewayEnvironment } from './env.ts'

/** A whole gateway process short of its signals. */
export async function openGateway(
  environment: GatewayEnvironment,
  log: Log,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const domain = opened.use(await openDomainOf(environment, log))
  const app = createGateway({
    domain,
    log,
    baseUrl: () => environment.SVC_BASE_URL,
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
  return opened.move()
}

function openDomainOf(environment: GatewayEnvironment, log: Log): Promise<Domain> {
  const directUrl = environment.SVC_DATABASE_DIRECT_URL
  return openDomain({
    databaseUrl: environment.DATABASE_URL,
    ...(directUrl !== undefined && { directUrl }),
    poolSize: environment.SVC_POOL_SIZE,
    secretKeys: environment.SVC_SECRET_KEYS,
    notify: environment.SVC_NOTIFY,
    // leases, sweeps and heartbeats are those of the API's processes
    seconds: defaultSeconds,
    log,
  })
}
