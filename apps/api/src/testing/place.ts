import { createTestDatabase, test } from '@svc/testing/database'
import { type Place, type Variables, openPlaceOn } from './serve-api.ts'

/** On a database of its own. */
export async function openPlace(variables?: Variables): Promise<Place> {
  await using opening = new AsyncDisposableStack()
  const { connectionString } = opening.use(await createTestDatabase())
  const place = opening.use(await openPlaceOn(connectionString, variables))
  const opened = opening.move()
  return { ...place, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** One place for the tests of a file, furnished with what they do there. */
export function testAt<Furnished>(
  furnish: (place: Place) => Furnished | Promise<Furnished>,
  variables?: Variables,
) {
  return test.extend('place', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const place = await openPlaceOn(database.connectionString, variables)
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
