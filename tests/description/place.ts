import { createApi } from '@svc/api/app'
import { ApiEnvironment } from '@svc/api/env'
import { openApi } from '@svc/api/server'
import { createLog } from '@svc/process/log'
import { limiterOf } from '@svc/service/limits'
import { createTestDatabase } from '@svc/testing/database'
import { openWorld } from '@svc/testing/world'
import { test as base } from 'vitest'

const log = createLog({ name: 'test', level: 'silent' })

export type Place = Awaited<ReturnType<typeof openPlace>>

/** The people of a world, and an API process on its database. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
export const test = base.extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  return openPlace(opened)
})

async function openPlace(opened: AsyncDisposableStack) {
  const { connectionString } = opened.use(await createTestDatabase())
  const world = opened.use(await openWorld(connectionString))
  const environment = ApiEnvironment.parse({
    DATABASE_URL: connectionString,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    SVC_DRAIN_SECONDS: '0',
  })
  const { url, baseUrl, domain } = opened.use(await openApi({ environment, log }))
  const { routes } = createApi({
    domain,
    log,
    limiter: limiterOf(environment),
    baseUrl: () => baseUrl,
  })
  const get = (path: string) => fetch(url + path)
  const description = await (await get('/api/openapi.json')).text()
  return { world, url, get, routes, description }
}
