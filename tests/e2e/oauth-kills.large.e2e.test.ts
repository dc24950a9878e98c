import { createTestDatabase } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { openWorld } from '@svc/domain/testing/world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { expect, test } from 'vitest'
import { approvedCode, exchange, placeAt, startFlow } from '../oauth/place.ts'
import { openApp } from './support/app-process.ts'

test('killed between approval and exchange, the service has given nobody a token, and goes on from there', async () => {
  await using database = await createTestDatabase()
  await using world = await openWorld(database.connectionString)
  await using api = await openApp('api', (url) => ({
    DATABASE_URL: database.connectionString,
    SVC_SECRET_KEYS: secretKeys,
    SVC_BASE_URL: url,
    SVC_MCP_ENABLED: 'true',
    ...highLimits,
  }))
  const first = await api.start()
  const place = placeAt(world, api.url)
  const flow = await startFlow(place)
  const code = await approvedCode(place, flow)
  await first.killNow()

  const active = world.domain.db
    .selectFrom('user_tokens')
    .select('id')
    .where('kind', '=', 'oauth')
    .where('token_hmac', 'is not', null)
  expect(await active.execute()).toEqual([])

  await api.start()
  expect((await exchange(place, flow, code)).status).toBe(200)
  expect(await active.execute()).toHaveLength(1)
})
