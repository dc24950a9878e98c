import { type World, openWorld } from '@svc/domain/testing/open-world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { createLog } from '@svc/process/log'
import { ApiEnvironment } from '../env.ts'
import { type Api, type OpenApiOptions, openApi } from '../server.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** The API in this process on a free port, silent unless it is given a log, and without the web app unless given one. */
export function serveApi(
  databaseUrl: string,
  variables: Variables = {},
  more: Partial<Omit<OpenApiOptions, 'environment'>> = {},
): Promise<Api> {
  const environment = ApiEnvironment.parse({
    DATABASE_URL: databaseUrl,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: secretKeys,
    SVC_DRAIN_SECONDS: '0',
    ...variables,
  })
  return openApi({
    environment,
    log: createLog({ name: 'test', level: 'silent' }),
    webApp,
    ...more,
  })
}

const webApp = () => ({ state: 'absent', reason: 'This test has no need of it.' }) as const

/** The API, and the people of a world on its database. */
export interface Place extends AsyncDisposable {
  world: World
  baseUrl: string
  /** Where it listens. */
  url: string
}

export async function openPlaceOn(
  databaseUrl: string,
  variables?: Variables,
  more?: Parameters<typeof serveApi>[2],
): Promise<Place> {
  await using opening = new AsyncDisposableStack()
  const world = opening.use(await openWorld(databaseUrl))
  const { baseUrl, url } = opening.use(await serveApi(databaseUrl, variables, more))
  const opened = opening.move()
  return { world, baseUrl, url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
