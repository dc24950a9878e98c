import { test } from '@svc/domain/testing/world'
import { expect } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { doors } from './fuzz/doors.ts'

/** What takes no word of its caller's but the address that there is nothing at, or a UUID in it. */
const deaf = ['/', '/*', '/livez', '/readyz', '/assets/pages.css', '/w/:workspace/webhooks/:id']

test('every page and every endpoint of OAuth is a door of the fuzz', ({ world: { domain } }) => {
  const served = apiRoutes(domain).filter(
    ({ method, path }) =>
      ['GET', 'POST'].includes(method) && !path.startsWith('/api/') && !deaf.includes(path),
  )
  const fuzzed = new Set(doors.map(({ method, path }) => `${method} ${path}`))
  const missed = served
    .map(({ method, path }) => `${method} ${path.replace(':name', 'made')}`)
    .filter((door) => !fuzzed.has(door))
  expect(served.length).toBeGreaterThan(20)
  expect(missed).toEqual([])
})
