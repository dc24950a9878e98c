import type { Api } from '@svc/api/server'
import { type Variables, serveApi } from '@svc/api/testing/serve-api'
import { bindGateway } from '@svc/mcp-gateway/app'
import { type Log, createLog } from '@svc/process/log'
import { highLimits } from '@svc/testing/high-limits'

const silent = createLog({ name: 'test', level: 'silent' })

/** The API with the endpoint for cloud agents on one origin. */
export function serveBoth(
  databaseUrl: string,
  variables: Variables = {},
  log: Log = silent,
): Promise<Api> {
  return serveApi(databaseUrl, variables, {
    log,
    bindMore: (app, { domain, limiter, baseUrl }) =>
      bindGateway(app, { domain, log, limiter, baseUrl }),
  })
}

/** The same for thousands of calls: it can reach loopback, and nobody reaches its limits. */
export function serveAll(
  databaseUrl: string,
  variables: Variables = {},
  log: Log = silent,
): Promise<Api> {
  const own = {
    // however long the calls take, time ends nothing that they are about
    SVC_SWEEP_SECONDS: '3600',
    SVC_WEBHOOK_ALLOWED_HOSTS: '*@127.0.0.1',
    ...highLimits,
  }
  return serveBoth(databaseUrl, { ...own, ...variables }, log)
}
