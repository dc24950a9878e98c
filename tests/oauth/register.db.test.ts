import { domainLoops } from '@svc/domain/handlers/loops'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import {
  type Place,
  approvedCode,
  askFor,
  callback,
  registerClient,
  startFlow,
  test,
  tokenFor,
} from './place.ts'

const redirect_uris = [callback]

describe('a client that registers', () => {
  test(
    'is told what it may do, which is less than it asked for',
    { tags: 'large' },
    async ({ place }) => {
      const given = {
        client_name: 'Editor',
        redirect_uris: [
          'cursor://anysphere.cursor-mcp/oauth/callback',
          'https://www.cursor.com/agents/mcp/oauth/callback',
          'http://localhost:8787/callback',
        ],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
        scope: 'everything',
        logo_uri: 'https://evil.example/logo.png',
      }
      const answer = await place.postJson('/oauth/register', given)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
      expect(await answer.json()).toEqual({
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        client_name: 'Editor',
        redirect_uris: given.redirect_uris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        scope: 'mission_lifecycle',
        application_type: 'native',
      })
    },
  )

  test('again is the same client', async ({ place }) => {
    const first = await registerClient(place, { client_name: 'Same' })
    const again = await registerClient(place, { client_name: 'Same' })
    const other = await registerClient(place, { client_name: 'Other' })
    expect(again.client_id).toBe(first.client_id)
    expect(other.client_id).not.toBe(first.client_id)
  })

  const refused: [what: string, body: unknown, error: string][] = [
    ['no JSON', 'x', 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['nothing', null, 'invalid_client_metadata'],
    ['a name that is a number', { redirect_uris, client_name: 1 }, 'invalid_client_metadata'],
    ['no code', { redirect_uris, response_types: ['token'] }, 'invalid_client_metadata'],
    ['no grant', { redirect_uris, grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [
      'a key',
      { redirect_uris, token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    ['no address', {}, 'invalid_redirect_uri'],
    ['an empty list of addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['eleven addresses', { redirect_uris: Array(11).fill(callback) }, 'invalid_redirect_uri'],
    ['a hostile address', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ]
  test.for(refused)('with %s is refused', async ([, body, error], { place }) => {
    const answer = await place.postJson('/oauth/register', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error, error_description: expect.any(String) })
  })

  test('with more than 64 KiB is refused', async ({ place }) => {
    const client_name = 'x'.repeat(64 * 1024)
    const answer = await place.postJson('/oauth/register', { redirect_uris, client_name })
    expect(answer.status).toBe(413)
  })

  test('leaves nothing of what it asked for and nobody allowed', async ({ place }) => {
    const flow = await startFlow(place)
    await askFor(place, flow)
    await approvedCode(place, flow)
    await place.world.advance(10 * 60 + 1)
    await purgeExpired(place)
    const left = await place.world.domain.db.selectFrom('oauth_requests').selectAll().execute()
    expect(left.map((row) => row.code_hash !== null)).toEqual([true])
  })

  test('cannot fill the storage: one network is ten clients an hour, and unused ones go', async ({
    place,
  }) => {
    const { db } = place.world.domain
    const from = (index: number) => ({
      'x-forwarded-for': `2001:db8:ffff:1::${index.toString(16)}`,
    })
    const statuses = []
    for (let index = 1; index <= 12; index += 1) {
      const body = { redirect_uris, client_name: `Flood ${index}` }
      statuses.push((await place.postJson('/oauth/register', body, from(index))).status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual([429, 429])
    await tokenFor(place)
    await place.world.advance(8 * 24 * 3_600)
    await purgeExpired(place)
    const left = await db.selectFrom('oauth_clients').select('name').execute()
    expect(left).toEqual([{ name: 'Agent' }])
    await place.world.advance((90 + 90 - 8 - 1) * 24 * 3_600)
    await purgeExpired(place)
    expect(await clients(place)).toBe(1)
    await place.world.advance(2 * 24 * 3_600)
    await purgeExpired(place)
    expect(await clients(place)).toBe(0)
  })
})

test(
  'the networks that one provider gives a customer leave most of a day to everybody else',
  { tags: 'large' },
  async ({ place }) => {
    const register = async (index: number, from: string) => {
      const body = { redirect_uris, client_name: `Neighbour ${index} ${from}` }
      const answer = await place.postJson('/oauth/register', body, { 'x-forwarded-for': from })
      return answer.status
    }
    // a /56, ten times its /64: none has too many for its own
    const flood = Array.from({ length: 104 }, (_, index) =>
      register(index, `2001:db8:eeee:${(0xab00 + Math.floor(index / 8)).toString(16)}::1`),
    )
    const statuses = await Promise.all(flood)
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    expect(await register(0, '2001:db8:eeee:1::1')).toBe(429)
    expect(await register(0, '2001:db8:eee:ab00::1')).toBe(201)
    expect(await register(0, '192.0.2.7')).toBe(201)
    await place.world.advance(24 * 3_600 + 1)
    expect(await register(0, '2001:db8:eeee:1::1')).toBe(201)
  },
)

async function clients({ world }: Place): Promise<number> {
  return (await world.domain.db.selectFrom('oauth_clients').select('id').execute()).length
}

async function purgeExpired({ world }: Place): Promise<void> {
  await domainLoops(world.domain)
    .find(({ name }) => name === 'purge-expired-each-hour')
    ?.run()
}

describe('the description of the authorization server', () => {
  test(
    verifies(
      'oauth.server-metadata',
      'is on the host of the service, and says what the configuration does, whatever host is named',
    ),
    async ({ place }) => {
      const forwarded = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
      const answer = await place.get('/.well-known/oauth-authorization-server', forwarded)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(await answer.json()).toEqual({
        issuer: place.baseUrl,
        authorization_endpoint: `${place.baseUrl}/oauth/authorize`,
        token_endpoint: `${place.baseUrl}/oauth/token`,
        registration_endpoint: `${place.baseUrl}/oauth/register`,
        revocation_endpoint: `${place.baseUrl}/oauth/revoke`,
        scopes_supported: ['mission_lifecycle'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
    },
  )

  test(
    verifies('oauth.same-host', 'is where the endpoint says, and every address in it is there too'),
    async ({ place }) => {
      const { headers } = await place.postJson('/mcp', {})
      const [, described = ''] =
        /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
      const resource = await (await fetch(described)).json()
      expect(resource).toMatchObject({
        resource: place.resource,
        authorization_servers: [place.baseUrl],
      })
      const server = await fetch(`${place.baseUrl}/.well-known/oauth-authorization-server`)
      const values: unknown[] = Object.values((await server.json()) as object) // by its standard
      const addresses = values.filter((one) => typeof one === 'string' && URL.canParse(one))
      expect(addresses).toHaveLength(5)
      const origins = [described, ...addresses.map(String)].map((one) => new URL(one).origin)
      expect(new Set(origins)).toEqual(new Set([place.baseUrl]))
    },
  )

  test.for([
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-authorization-server/',
    '/.well-known/openid-configuration',
    '/mcp/.well-known/oauth-authorization-server',
  ])('is not at %s', async (path, { place }) => {
    const answer = await place.get(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  test('and every endpoint says which methods it takes', async ({ place }) => {
    const wrong = await place.postForm('/.well-known/oauth-authorization-server', {})
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const got = await place.get('/oauth/token')
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
    const posted = await place.postForm('/oauth/authorize', {})
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.for([
    ['/oauth/register', '*'],
    ['/oauth/token', '*'],
    ['/oauth/revoke', '*'],
    ['/.well-known/oauth-authorization-server', '*'],
    ['/oauth/authorize', null],
    ['/oauth/approve', null],
  ] as const)('lets pages of any origin call %s: %s', async ([path, allowed], { place }) => {
    const answer = await fetch(place.baseUrl + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })
})
