import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { test } from '@svc/testing/world'
import { expect } from 'vitest'
import { doors } from './fuzz/doors.ts'

const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse({}))

/** What takes no word of its caller's but the address that there is nothing at. */
const deaf = ['/', '/*', '/livez', '/readyz', '/assets/pages.css']

test('every page and every endpoint of OAuth is a door of the fuzz', ({ world: { domain } }) => {
  const served = createApi({
    domain,
    log,
    limiter,
    baseUrl: () => 'http://localhost',
    oauth: { takesDocuments: true },
  }).routes.filter(
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
