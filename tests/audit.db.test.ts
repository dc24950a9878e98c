import { createApi } from '@svc/api/app'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'
import { test } from '@svc/domain/testing/world'
import { expect } from 'vitest'

const log = createLog({ name: 'test', level: 'silent' })

test('the audit trail holds the network that a call came from, through the proxies that are trusted', async ({
  world: { alice, domain },
}) => {
  const limiter = limiterOf(LimitsEnvironment.parse({ SVC_TRUSTED_PROXIES: '10.0.0.1' }))
  const api = createApi({ domain, log, limiter, baseUrl: () => 'http://localhost' })
  const headers = {
    authorization: `Bearer ${alice.token}`,
    'content-type': 'application/json',
    'x-forwarded-for': '203.0.113.1, 192.0.2.7',
  }
  const body = JSON.stringify({ label: 'laptop', preset: 'runner' })
  const incoming = { socket: { remoteAddress: '10.0.0.1' } }

  const made = await api.request(
    '/api/user-tokens',
    { method: 'POST', headers, body },
    { incoming },
  )
  const read = await api.request('/api/audit?limit=1', { headers }, { incoming })

  expect([made.status, read.status]).toEqual([201, 200])
  expect(await read.json()).toMatchObject({
    entries: [{ action: 'token.minted', from: '192.0.2.7', details: { label: 'laptop' } }],
  })
})
