import { testAt } from '@svc/api/testing/place'
import type { Place as ApiPlace } from '@svc/api/testing/serve-api'
import { apiRoutes } from '../api-routes.ts'

export type Place = Awaited<ReturnType<typeof furnish>>

/** The people of a world, and the descriptions that an API process on its database serves. */
export const test = testAt(furnish)

async function furnish({ world, baseUrl }: ApiPlace) {
  const get = (path: string) => fetch(baseUrl + path)
  const description = await (await get('/api/openapi.json')).text()
  return { world, url: baseUrl, get, routes: apiRoutes(world.domain), description }
}
