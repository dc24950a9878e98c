import { ApiEnvironment } from '@svc/api/env'
import { openApi } from '@svc/api/server'
import { bindGateway } from '@svc/mcp-gateway/app'
import type { Log } from '@svc/process/log'
import { highLimits } from '@svc/testing/high-limits'
import { type World, openWorld } from '@svc/testing/world'

export interface ServedWorld extends AsyncDisposable {
  world: World
  url: string
}

/** The people of a world, and on its database the API with the endpoint for cloud agents on one origin. */
export async function serveWorld(databaseUrl: string, log: Log): Promise<ServedWorld> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld(databaseUrl))
  let url = ''
  const api = opened.use(
    await openApi({
      environment: ApiEnvironment.parse({
        DATABASE_URL: databaseUrl,
        SVC_PORT: '0',
        SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
        SVC_DRAIN_SECONDS: '0',
        SVC_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        ...highLimits,
      }),
      log,
      bindMore: (app, { domain, limiter }) =>
        bindGateway(app, { domain, log, limiter, baseUrl: () => url }),
    }),
  )
  url = api.url
  const resources = opened.move()
  return { world, url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
