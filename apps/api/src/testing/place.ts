import { createLog } from '@svc/process/log'
import { createTestDatabase } from '@svc/testing/database'
import { type World, openWorld } from '@svc/domain/testing/world'
import { test } from 'vitest'
import { ApiEnvironment } from '../env.ts'
import { openApi } from '../server.ts'

const log = createLog({ name: 'test', level: 'silent' })

/** The API on a database of its own, with the people of a world. */
export interface Place extends AsyncDisposable {
  world: World
  baseUrl: string
  /** Where it listens. */
  url: string
}

export async function openPlace(variables: Record<string, string> = {}): Promise<Place> {
  await using opening = new AsyncDisposableStack()
  const { connectionString } = opening.use(await createTestDatabase())
  const world = opening.use(await openWorld(connectionString))
  const environment = ApiEnvironment.parse({
    DATABASE_URL: connectionString,
    SVC_PORT: '0',
    SVC_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    SVC_DRAIN_SECONDS: '0',
    ...variables,
  })
  const { baseUrl, url } = opening.use(await openApi({ environment, log }))
  const opened = opening.move()
  return { world, baseUrl, url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** One place for the tests of a file, furnished with what they do there. */
export function testAt<Furnished>(
  furnish: (place: Place) => Furnished | Promise<Furnished>,
  variables?: Record<string, string>,
) {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
  return test.extend('place', { scope: 'file' }, async ({}, { onCleanup }) => {
    const place = await openPlace(variables)
    onCleanup(() => place[Symbol.asyncDispose]())
    return furnish(place)
  })
}

/** What the form of a page sends; a redirect is answered as such. */
export function sendTo(baseUrl: string) {
  return (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: baseUrl, ...headers },
      body: new URLSearchParams(fields),
    })
}
