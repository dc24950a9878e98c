import { serveApi } from '@svc/api/testing/serve-api'
import { highLimits } from '@svc/testing/high-limits'
import { test as base } from '@svc/domain/testing/world'
import { describe, expect } from 'vitest'

/** The people of a world, and API processes on its database. */
const test = base.extend('place', { scope: 'file' }, ({ world, database }) => ({
  world,
  /** With limits that one call or two reach: of what they give back in a minute, no test waits for anything. */
  open: (limits: NodeJS.ProcessEnv) => serveApi(database.connectionString, limits),
}))

interface Caller {
  url: string
  token?: string | undefined
  headers?: Record<string, string>
}

/** The status that a read is answered with, or a write where a body is given. */
async function statusOf(caller: Caller, path: string, body?: object): Promise<number> {
  return (await send(caller, path, body)).status
}

function send({ url, token, headers }: Caller, path: string, body?: object): Promise<Response> {
  return fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const me = '/api/me'
const nowhere = '00000000-0000-4000-8000-000000000000'
/** What nobody can do, so that it changes nothing. */
const write = (caller: Caller) =>
  statusOf(caller, '/api/missions', { projectId: nowhere, title: 'x' })
const heartbeat = (caller: Caller, sessionKey: string) =>
  statusOf(caller, '/api/protocol/heartbeat', { sessionKey })
const launching = (caller: Caller, leaseToken: string) =>
  statusOf(caller, `/api/runner/requests/${nowhere}/launching`, { leaseToken })
const claim = (caller: Caller, fingerprint: string) =>
  statusOf(caller, '/api/runner/claim', {
    claimId: crypto.randomUUID(),
    projectIds: [],
    device: { fingerprint, label: 'a box', platform: 'linux', arch: 'x64' },
    runner: { instanceId: crypto.randomUUID(), version: '1', capacity: { max: 1, running: 0 } },
    agents: [],
    resources: [],
  })

describe('calls are limited', () => {
  test('of one token, its reads and its writes apart', { tags: 'large' }, async ({ place }) => {
    await using api = await place.open({ SVC_LIMIT_READS: '1', SVC_LIMIT_WRITES: '1' })
    const { alice, bob } = place.world
    const caller = { url: api.url, token: alice.token }
    expect(await statusOf(caller, me)).toBe(200)
    const refused = await send(caller, me)
    expect(refused.status).toBe(429)
    const seconds = refused.headers.get('retry-after')
    expect(Number(seconds)).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
    expect([await write(caller), await write(caller)]).toEqual([404, 429])
    expect(await statusOf({ url: api.url, token: bob.token }, me)).toBe(200)
  })

  test(
    'of one session and of one lease, which do not count for the token',
    { tags: 'large' },
    async ({ place }) => {
      await using api = await place.open({ SVC_LIMIT_AGENT_CALLS: '1', SVC_LIMIT_WRITES: '1' })
      const caller = { url: api.url, token: place.world.alice.token }
      expect([await heartbeat(caller, 'one'), await heartbeat(caller, 'one')]).toEqual([404, 429])
      expect(await heartbeat(caller, 'two')).toBe(404)
      expect([await launching(caller, 'a'), await launching(caller, 'a')]).toEqual([404, 429])
      expect(await launching(caller, 'b')).toBe(404)
      expect(await write(caller)).toBe(404)
    },
  )

  test('of one device', { tags: 'large' }, async ({ place }) => {
    await using api = await place.open({ SVC_LIMIT_CLAIMS: '1', SVC_LIMIT_WRITES: '1' })
    const caller = { url: api.url, token: place.world.alice.token }
    expect([await claim(caller, 'a laptop'), await claim(caller, 'a laptop')]).toEqual([200, 429])
    expect(await claim(caller, 'a desktop')).toBe(200)
    expect(await write(caller)).toBe(404)
  })

  test('of all sessions, leases and devices of a token', { tags: 'large' }, async ({ place }) => {
    await using api = await place.open({ SVC_LIMIT_KEYED_CALLS: '2' })
    const { alice, bob } = place.world
    const caller = { url: api.url, token: alice.token }
    expect([await heartbeat(caller, 'one'), await launching(caller, 'two')]).toEqual([404, 404])
    expect(await claim(caller, 'a laptop')).toBe(429)
    expect(await claim({ url: api.url, token: bob.token }, 'a laptop')).toBe(200)
    expect(await statusOf(caller, me)).toBe(200)
  })

  test(
    'of one workspace, but for calls with a lease, and not of another one',
    { tags: 'large' },
    async ({ place }) => {
      await using api = await place.open({ SVC_LIMIT_WORKSPACE_CALLS: '3' })
      const { alice, bob, vera, carla } = place.world
      const as = ({ token }: { token: string }) => ({ url: api.url, token })
      for (const lease of ['one', 'two', 'three', 'four']) {
        expect(await launching(as(alice), lease)).toBe(404)
      }
      expect(await statusOf(as(alice), me)).toBe(200)
      expect(await heartbeat(as(bob), 'one')).toBe(404)
      expect(await write(as(bob))).toBe(404)
      expect(await statusOf(as(vera), me)).toBe(429)
      expect(await heartbeat(as(alice), 'two')).toBe(429)
      expect(await launching(as(alice), 'five')).toBe(404)
      expect(await statusOf(as(carla), me)).toBe(200)
    },
  )

  test('of one process: another one counts anew', { tags: 'large' }, async ({ place }) => {
    const limits = { SVC_LIMIT_READS: '1' }
    await using one = await place.open(limits)
    await using other = await place.open(limits)
    const { token } = place.world.alice
    expect(await statusOf({ url: one.url, token }, me)).toBe(200)
    expect(await statusOf({ url: one.url, token }, me)).toBe(429)
    expect(await statusOf({ url: other.url, token }, me)).toBe(200)
  })

  test.for(['/api/tools/svc_dance', '/api/protocol/dance'])(
    'of what is not there: %s',
    async (path, { place }) => {
      await using api = await place.open({ SVC_LIMIT_WRITES: '1' })
      const caller = { url: api.url, token: place.world.alice.token }
      expect([await statusOf(caller, path, {}), await statusOf(caller, path, {})]).toEqual([
        404, 429,
      ])
      expect(await statusOf({ url: api.url }, path, {})).toBe(401)
    },
  )

  test.for(['0', 'off'])(
    'by nothing where %s is set',
    { tags: 'large' },
    async (none, { place }) => {
      const names = Object.keys(highLimits)
      await using api = await place.open(Object.fromEntries(names.map((name) => [name, none])))
      const caller = { url: api.url, token: place.world.alice.token }
      const calls = Array.from({ length: 25 }, () => [
        write(caller),
        heartbeat(caller, 'one'),
        statusOf({ url: api.url, token: 'wrong' }, me),
      ])
      expect(new Set(await Promise.all(calls.flat()))).toEqual(new Set([404, 401]))
    },
  )
})

describe('bad tokens are limited', () => {
  const limits = { SVC_LIMIT_FAILED_AUTHENTICATIONS: '1' }
  const wrong = (place: { url: string }, forwarded?: string) =>
    statusOf(
      {
        url: place.url,
        token: 'wrong',
        ...(forwarded !== undefined && { headers: { 'x-forwarded-for': forwarded } }),
      },
      me,
    )

  test(
    'of one address; who came in before from there still comes in',
    { tags: 'large' },
    async ({ place }) => {
      await using api = await place.open(limits)
      const { alice, bob } = place.world
      expect(await statusOf({ url: api.url, token: alice.token }, me)).toBe(200)
      expect(await wrong(api)).toBe(401)
      const refused = await send({ url: api.url, token: 'another' }, me)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]/)
      expect(await statusOf({ url: api.url, token: bob.token }, me)).toBe(429)
      expect(await statusOf({ url: api.url, token: alice.token }, me)).toBe(200)
    },
  )

  test('also of a token that was good until now', { tags: 'large' }, async ({ place }) => {
    await using api = await place.open(limits)
    const person = await place.world.person('member')
    const { token, userToken } = await person.call('createUserToken', {
      label: 'short-lived',
      preset: 'full',
    })
    expect(await statusOf({ url: api.url, token }, me)).toBe(200)
    await person.call('revokeUserToken', { id: userToken.id })
    expect(await statusOf({ url: api.url, token }, me)).toBe(401)
    expect(await statusOf({ url: api.url, token }, me)).toBe(429)
  })

  test('by the address of the connection, whatever an untrusted caller says', async ({ place }) => {
    await using api = await place.open({ ...limits, SVC_TRUSTED_PROXIES: '192.0.2.1, 10.0.0.0/8' })
    expect(await wrong(api, '198.51.100.1')).toBe(401)
    expect(await wrong(api, '198.51.100.2')).toBe(429)
    expect(await wrong(api)).toBe(429)
  })

  test('behind trusted proxies by the last hop before them', async ({ place }) => {
    await using api = await place.open({ ...limits, SVC_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
    expect(await wrong(api, '198.51.100.1')).toBe(401)
    expect(await wrong(api, '198.51.100.2')).toBe(401)
    expect(await wrong(api, '203.0.113.9, 198.51.100.1')).toBe(429)
    expect(await wrong(api, '203.0.113.9, 198.51.100.2, 10.0.0.7')).toBe(429)
    expect(await wrong(api, '203.0.113.9')).toBe(401)
  })
})
