import { ApiEnvironment } from '@svc/api/env'
import { type Api, openApi } from '@svc/api/server'
import { bindGateway } from '@svc/mcp-gateway/app'
import type { Log } from '@svc/process/log'
import { highLimits } from '@svc/testing/high-limits'

/** The API with the endpoint for cloud agents on one origin, which can reach loopback and whose limits nobody reaches. */
export async function serveAll(
  databaseUrl: string,
  log: Log,
  variables: Readonly<Record<string, string>> = {},
): Promise<Api> {
  return openApi({
    environment: ApiEnvironment.parse({
      DATABASE_URL: databaseUrl,
      SVC_PORT: '0',
      // as those of the worlds of tests
      SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      SVC_DRAIN_SECONDS: '0',
      // however long thousands of calls take, time ends nothing that they are about
      SVC_SWEEP_SECONDS: '3600',
      SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
      ...highLimits,
      ...variables,
    }),
    log,
    bindMore: (app, { domain, limiter, baseUrl }) =>
      bindGateway(app, { domain, log, limiter, baseUrl }),
  })
}
