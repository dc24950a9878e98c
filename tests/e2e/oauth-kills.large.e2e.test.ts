import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@svc/testing/database'
import { highLimits } from '@svc/testing/high-limits'
import { openWorld } from '@svc/domain/testing/world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { expect, test } from 'vitest'
import { approvedCode, exchange, placeAt, startFlow } from '../oauth/place.ts'
import { freePort } from '@svc/testing/free-port'
import { type Started, startNode } from './support/processes.ts'
import { until } from './support/until.ts'

const main = fileURLToPath(import.meta.resolve('@svc/api/main'))

test('killed between approval and exchange, the service has given nobody a token, and goes on from there', async () => {
  await using database = await createTestDatabase()
  await using world = await openWorld(database.connectionString)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: database.connectionString,
    SVC_SECRET_KEYS: secretKeys,
    SVC_BASE_URL: url,
    SVC_PORT: String(port),
    SVC_MCP_ENABLED: 'true',
    SVC_DRAIN_SECONDS: '0',
    ...highLimits,
  }
  const started: Started[] = []
  const start = async () => {
    const api = startNode(main, [], { env })
    started.push(api)
    const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
    await until('the API is ready', isReady, { details: api.output })
    return api
  }
  try {
    const first = await start()
    const place = placeAt(world, url)
    const flow = await startFlow(place)
    const code = await approvedCode(place, flow)
    await first.killNow()

    const active = world.domain.db
      .selectFrom('user_tokens')
      .select('id')
      .where('kind', '=', 'oauth')
      .where('token_hmac', 'is not', null)
    expect(await active.execute()).toEqual([])

    await start()
    expect((await exchange(place, flow, code)).status).toBe(200)
    expect(await active.execute()).toHaveLength(1)
  } finally {
    await Promise.all(started.map((api) => api.killNow()))
  }
})
