import { test } from '@svc/domain/testing/world'
import { expect } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { entryPoints } from './fuzz/entry-points.ts'

/** These take no input but their path: an address that there is nothing at, a UUID in it, or what the web app reads. */
const withoutInput = [
  '/',
  '/*',
  '/livez',
  '/readyz',
  '/assets/pages.css',
  '/assets/:name',
  '/w/:workspace',
  '/w/:workspace/*',
  '/w/:workspace/webhooks/:id',
]

test('every page and every endpoint of OAuth is an entry point of the fuzz', ({
  world: { domain },
}) => {
  const served = apiRoutes(domain).filter(
    ({ method, path }) =>
      ['GET', 'POST'].includes(method) && !path.startsWith('/api/') && !withoutInput.includes(path),
  )
  const fuzzed = new Set(entryPoints.map(({ method, path }) => `${method} ${path}`))
  const missed = served
    .map(({ method, path }) => `${method} ${path.replace(':name', 'made')}`)
    .filter((entryPoint) => !fuzzed.has(entryPoint))
  expect(served.length).toBeGreaterThan(20)
  expect(missed).toEqual([])
})
