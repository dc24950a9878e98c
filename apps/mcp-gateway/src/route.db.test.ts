import { request as httpRequest } from 'node:http'
import type { ToolResult } from '@svc/contracts/mcp/tool-result'
import { type ToolName, toolContract, toolNames } from '@svc/contracts/mcp/tools'
import { type Permission, permissions } from '@svc/contracts/permissions'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { createGateway } from './app.ts'
import { type Gateway, limiterWith, quiet, test } from './testing/gateway.ts'
import { listTools, meta, modern, modernHeaders } from './testing/messages.ts'
import { answersSpoiled } from './testing/spoiled-messages.ts'
import { callsOfAlice } from './testing/tool-calls.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const names = (text: string) => toolNames.filter((name) => text.includes(name))

/** `fetch` writes Host itself, so what another one would get is asked for by hand. */
function sendWithHost(gateway: Gateway, host: string, token: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { host, ...bearer(token) }
  httpRequest(`${gateway.url}/mcp`, { headers }, (answer) => {
    answer.resume()
    resolve(answer.statusCode)
  })
    .on('error', reject)
    .end()
  return promise
}

describe('without a token that is good here', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

  test.for(methods)(
    `%s names no tool and says where to get a token ${verifies(['mcp.list-needs-auth', 'mcp.call-needs-auth', 'mcp.challenge', 'auth.bearer', 'error.mcp-401'], '').trim()}`,
    async (method, { world, gateway }) => {
      const { alice } = world
      const minted = async (order: object) =>
        await alice.call('createUserToken', { label: 'x', preset: 'full', ...order })
      const revoked = await minted({})
      await alice.call('revokeUserToken', { id: revoked.userToken.id })
      const short = await minted({ expiresInDays: 1 })
      const elsewhere = await minted({ audiences: ['api'] })
      await world.advance(86_401)
      const good = alice.token
      const denied = await world.person('member')
      const { db } = world.domain
      await db.deleteFrom('memberships').where('user_id', '=', denied.userId).execute()
      const credentials: [string | undefined, string][] = [
        [undefined, ''],
        ['Basic YTpi', ''],
        ['Bearer', ''],
        ['Bearer ', ''],
        ['Bearer garbage', ''],
        [`Bearer ${good.slice(0, -1)}`, ''],
        [`Bearer ${good}, Bearer ${good}`, ''],
        [`Token ${good}`, ''],
        [`Bearer ${revoked.token}`, ''],
        [`Bearer ${short.token}`, ''],
        [`Bearer ${elsewhere.token}`, ''],
        [`Bearer ${denied.token}`, ''],
        [undefined, `?access_token=${good}`],
      ]
      for (const [authorization, query] of credentials) {
        const answer = await gateway.send({
          path: `/mcp${query}`,
          method,
          headers: {
            ...(authorization !== undefined && { authorization }),
            'content-type': 'application/json',
          },
          ...(method !== 'GET' && method !== 'HEAD' && { body: JSON.stringify(listTools) }),
        })
        const isNone = authorization === undefined && query === ''
        const challenge = `resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp", scope="mission_lifecycle"`
        const text = await answer.text()
        expect({
          authorization,
          query,
          status: answer.status,
          cache: answer.headers.get('cache-control'),
          challenge: answer.headers.get('www-authenticate'),
          tools: names(text),
          error: method === 'HEAD' ? undefined : (JSON.parse(text) as { error: string }).error,
        }).toEqual({
          authorization,
          query,
          status: 401,
          cache: 'no-store',
          challenge: isNone ? `Bearer ${challenge}` : `Bearer error="invalid_token", ${challenge}`,
          tools: [],
          error: method === 'HEAD' ? undefined : isNone ? 'unauthorized' : 'invalid_token',
        })
      }
    },
  )

  test('a body is not read: one that never ends is answered all the same', async ({ gateway }) => {
    const start = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(Buffer.from('{'))
    const body = new ReadableStream({ start, pull: () => new Promise(() => undefined) })
    const answer = await gateway.send({
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
  })
})

describe('a token', () => {
  test('that can do nothing here at all is the only one that gets 403', async ({
    world,
    gateway,
  }) => {
    const useless = await world.alice.withToken({ permissions: ['webhook:read', 'member:read'] })
    const answer = await gateway.post(useless.token, listTools)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(names(await answer.text())).toEqual([])
  })

  test.for(['mission_lifecycle', 'runner', 'read_only', 'webhook_consumer'] as const)(
    'of the preset %s is shown each tool, and what is missing in the answer of a call',
    async (preset, { world, gateway }) => {
      const { token } = await world.alice.withPreset(preset)
      const listed = await gateway.post(token, listTools)
      expect(names(await listed.text())).toEqual(toolNames)
      for (const name of toolNames) {
        const answer = await gateway.post(token, {
          ...listTools,
          method: 'tools/call',
          params: { name, arguments: {} },
        })
        expect(answer.status).toBe(200)
      }
    },
  )

  test(
    verifies('mcp.rbac', 'may use each tool with its permission, and not without it'),
    async ({ world, gateway }) => {
      const calls = await callsOfAlice(world)
      const callWith = async (name: ToolName, held: readonly Permission[]) => {
        const { token } = await world.alice.withToken({ permissions: [...held] })
        const params = { name, arguments: calls[name] }
        const answer = await gateway.post(token, { ...listTools, method: 'tools/call', params })
        return ((await answer.json()) as { result: ToolResult }).result
      }
      for (const name of toolNames) {
        const { permission, fullScope } = toolContract(name)
        const others = permissions.filter((one) => one !== permission)
        const refused = await callWith(name, others)
        expect([name, refused._meta?.['svc/error'].code]).toEqual([name, 'forbidden'])
        expect(refused).not.toHaveProperty('structuredContent')
        expect(refused.content[0]?.text).toContain(permission)
        if (fullScope) continue
        const answered = await callWith(name, [permission, 'mission:read'])
        expect([name, answered._meta?.['svc/error']]).toEqual([name, undefined])
      }
    },
  )
})

describe('where a request comes from', () => {
  test('the host must be ours', async ({ world, gateway }) => {
    const { port } = new URL(gateway.url)
    const ask = (host: string) => sendWithHost(gateway, host, world.alice.token)
    expect(await ask(`127.0.0.1:${port}`)).toBe(200)
    expect(await ask(`LocalHost:${port}`)).toBe(200)
    // by a tunnel
    expect(await ask('127.0.0.1:1')).toBe(200)
    const foreign = ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]
    expect(await Promise.all(foreign.map(ask))).toEqual(foreign.map(() => 403))
  })

  test('the origin is absent, ours, or of this computer; that is judged before the token', async ({
    gateway,
  }) => {
    const ask = async (origin: string) => (await gateway.send({ headers: { origin } })).status
    const near = [gateway.url, 'http://localhost:6274', 'http://127.0.0.1:1', 'https://[::1]:8']
    expect(await Promise.all(near.map(ask))).toEqual(near.map(() => 401))
    const far = [
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'file://',
      `${gateway.url}.evil.example`,
      `${gateway.url}/`,
    ]
    expect(await Promise.all(far.map(ask))).toEqual(far.map(() => 403))
  })

  test('a preflight carries no token, and is told which headers may be sent', async ({
    gateway,
  }) => {
    const answer = await gateway.send({
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:6274',
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'Authorization, Mcp-Protocol-Version, X-Evil, content-type',
      },
    })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:6274',
      'access-control-allow-headers': 'authorization, mcp-protocol-version, content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a page may read errors too', async ({ gateway }) => {
    const origin = 'http://localhost:6274'
    const answer = await gateway.send({ method: 'POST', headers: { origin } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    expect((await gateway.send({})).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('GET', () => {
  test(
    verifies(
      ['mcp.get-metadata', 'version.contract-0'],
      'answers whoever holds a token what is here',
    ),
    async ({ world, gateway }) => {
      for (const accept of ['application/json', '*/*', 'application/json, text/event-stream']) {
        const answer = await gateway.send({ headers: { ...bearer(world.alice.token), accept } })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('cache-control')).toBe('private, no-store')
        expect(await answer.json()).toMatchObject({
          name: 'svc',
          contractVersion: 0,
          endpoint: `${gateway.url}/mcp`,
          protocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
          capabilities: { tools: toolNames.map((name) => ({ name })) },
          authorization: { resource: `${gateway.url}/mcp`, scopes: ['mission_lifecycle'] },
        })
      }
    },
  )

  test('has no stream, and neither sessions nor other methods are known', async ({
    world,
    gateway,
  }) => {
    const headers = bearer(world.alice.token)
    const asked = [
      { headers: { ...headers, accept: 'text/event-stream' } },
      ...['DELETE', 'PUT', 'PATCH'].map((method) => ({ method, headers })),
    ]
    for (const init of asked) {
      const answer = await gateway.send(init)
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
      expect(await answer.json()).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000 },
      })
    }
  })
})

describe('a body', () => {
  const cases: [
    string,
    number,
    number,
    string | Record<string, unknown>,
    Record<string, string>,
  ][] = [
    ['of another type', 415, -32000, listTools, { 'content-type': 'text/plain' }],
    ['that is compressed', 415, -32000, listTools, { 'content-encoding': 'gzip' }],
    [
      'that is too large',
      413,
      -32000,
      { ...listTools, params: { text: 'x'.repeat(1024 * 1024) } },
      {},
    ],
    ['that is empty', 400, -32700, '', {}],
    ['that is no JSON', 400, -32700, '{"jsonrpc":', {}],
    ['that is nested too deep', 400, -32600, '['.repeat(100_000) + ']'.repeat(100_000), {}],
    [
      'with a name that is not allowed',
      400,
      -32600,
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}',
      {},
    ],
  ]

  test.for(cases)(
    '%s is refused with %i',
    async ([, status, code, body, headers], { world, gateway }) => {
      const answer = await gateway.post(world.alice.token, body, headers)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
    },
  )

  test.for([
    '{}',
    '[]',
    '1',
    '"x"',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '[1]',
    '[null]',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  ])('%s is no message and is refused', async (body, { world, gateway }) => {
    const answer = await gateway.post(world.alice.token, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: expect.any(Number) },
    })
  })

  test('is answered as JSON whatever the client accepts', async ({ world, gateway }) => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream']) {
      const answer = await gateway.post(world.alice.token, listTools, { accept })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })
})

describe('revisions before 2026-07-28', () => {
  const initialize = (protocolVersion: string) => ({
    ...listTools,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })

  test.for([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ] as const)(
    'a client that asks for %s speaks %s, without a session',
    async ([asked, answered], { world, gateway }) => {
      const answer = await gateway.post(world.alice.token, initialize(asked))
      expect(answer.headers.get('mcp-session-id')).toBeNull()
      expect(await answer.json()).toMatchObject({
        result: {
          protocolVersion: answered,
          serverInfo: { name: 'svc' },
          capabilities: { tools: {}, resources: {} },
        },
      })
    },
  )

  test('a notification is taken, an unknown method and an unknown version are not', async ({
    world,
    gateway,
  }) => {
    const { token } = world.alice
    const notified = await gateway.post(token, {
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    })
    expect(notified.status).toBe(202)
    const unknown = await gateway.post(token, { ...listTools, method: 'tools/forget' })
    expect(await unknown.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    const versioned = await gateway.post(token, listTools, { 'mcp-protocol-version': '2024-01-01' })
    expect(versioned.status).toBe(400)
  })

  test('a resource that is not there is -32002', async ({ world, gateway }) => {
    const read = { ...listTools, method: 'resources/read', params: { uri: 'ui://svc/none.html' } }
    const answer = await gateway.post(world.alice.token, read)
    expect(await answer.json()).toMatchObject({
      error: { code: -32002, message: 'Resource not found' },
    })
  })

  test('a batch belongs to 2025-03-26, and holds 20 at most', async ({ world, gateway }) => {
    const { token } = world.alice
    const batch = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ ...listTools, id }))
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      const answer = await gateway.post(token, batch(20), headers)
      const answered = (await answer.json()) as { id: number }[]
      expect(answered.map(({ id }) => id)).toEqual(batch(20).map(({ id }) => id))
    }
    for (const [count, headers] of [
      [21, {}],
      [2, { 'mcp-protocol-version': '2025-06-18' }],
      [2, { 'mcp-protocol-version': '2025-11-25' }],
      [2, { 'mcp-protocol-version': '2026-07-28' }],
    ] as const) {
      const answer = await gateway.post(token, batch(count), headers)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } })
    }
  })
})

describe('revision 2026-07-28', () => {
  const create = { name: 'svc_create_project', arguments: { name: 'Never made' } }

  test('is discovered without a handshake', async ({ world, gateway }) => {
    const method = 'server/discover'
    const answer = await gateway.post(world.alice.token, modern(method), modernHeaders(method))
    expect(await answer.json()).toMatchObject({
      id: 7,
      result: {
        supportedVersions: ['2026-07-28'],
        ttlMs: 60_000,
        cacheScope: 'private',
        instructions: expect.any(String),
      },
    })
  })

  const disagreements: [string, object, Record<string, string>, number, number][] = [
    [
      'another method',
      modern('tools/call', create),
      modernHeaders('tools/list', create.name),
      400,
      -32020,
    ],
    [
      'another name',
      modern('tools/call', create),
      modernHeaders('tools/call', 'svc_resolve_project'),
      400,
      -32020,
    ],
    ['no name', modern('tools/call', create), modernHeaders('tools/call'), 400, -32020],
    [
      'no method',
      modern('tools/call', create),
      { 'mcp-protocol-version': '2026-07-28', 'mcp-name': create.name },
      400,
      -32020,
    ],
    [
      'an older version',
      modern('tools/call', create),
      { ...modernHeaders('tools/call', create.name), 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    [
      'this version, and no envelope in the body',
      { ...listTools, id: 7 },
      modernHeaders('tools/list'),
      400,
      -32602,
    ],
    [
      'a version to come, as does the body',
      {
        ...modern('tools/list'),
        params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      },
      { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' },
      400,
      -32022,
    ],
    ['a method that is gone', modern('ping'), modernHeaders('ping'), 404, -32601],
  ]

  test.for(disagreements)(
    'headers that name %s are refused and nothing is called',
    async ([, body, headers, status, code], { world, gateway }) => {
      const answer = await gateway.post(world.alice.token, body, headers)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ id: 7, error: { code } })
      const { projects } = await world.alice.call('listProjects', {})
      expect(projects.map(({ name }) => name)).not.toContain('Never made')
    },
  )

  test('a widget is kept for an hour by whoever has it, since it holds nothing of anybody', async ({
    world,
    gateway,
  }) => {
    const uri = 'ui://svc/mission-list.html'
    const answer = await gateway.post(
      world.alice.token,
      modern('resources/read', { uri }),
      modernHeaders('resources/read', uri),
    )
    expect(await answer.json()).toMatchObject({
      result: { contents: [{ uri }], ttlMs: 3_600_000, cacheScope: 'public' },
    })
  })

  test('a resource that is not there is -32602', async ({ world, gateway }) => {
    const uri = 'ui://svc/none.html'
    const answer = await gateway.post(
      world.alice.token,
      modern('resources/read', { uri }),
      modernHeaders('resources/read', uri),
    )
    expect(await answer.json()).toMatchObject({ error: { code: -32602, data: { uri } } })
  })
})

describe('the documents of the protected resource', () => {
  const paths = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ]

  test.for(paths)(`%s is read by anybody from anywhere`, async (path, { gateway }) => {
    const answer = await gateway.send({ path, headers: { origin: 'https://anywhere.example' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(await answer.json()).toEqual({
      resource: `${gateway.url}/mcp`,
      authorization_servers: [gateway.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mission_lifecycle'],
      resource_name: 'svc',
    })
    expect((await gateway.send({ path, method: 'POST' })).status).toBe(405)
  })

  test(
    verifies(['oauth.resource-metadata', 'oauth.resource-metadata-mcp'], 'are one and the same'),
    async ({ gateway }) => {
      const [one, other] = await Promise.all(
        paths.map(async (path) => (await gateway.send({ path })).text()),
      )
      expect(one).toBe(other)
      expect(JSON.parse(one ?? '')).toHaveProperty('resource')
    },
  )

  test.for([
    '/mcp/',
    '/mcp/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/',
    '/.well-known/openid-configuration',
  ])('%s is not there', async (path, { world, gateway }) => {
    const answer = await gateway.send({ path, headers: bearer(world.alice.token) })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
  })
})

test(
  verifies('mcp.disabled-unmounted', 'not enabled, nothing of it is there'),
  async ({ world }) => {
    const app = createGateway({
      domain: world.domain,
      log: quiet,
      baseUrl: () => 'http://127.0.0.1',
      limiter: limiterWith(),
      isEnabled: false,
    })
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      for (const path of [
        '/mcp',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/mcp',
      ]) {
        const answer = await app.request(path, { method, headers: bearer(world.alice.token) })
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({
          error: { code: 'not_found', requestId: expect.any(String) },
        })
      }
    }
    expect((await app.request('/livez')).status).toBe(200)
  },
)

test('a failure that nobody foresaw shows a request id and nothing else', async ({ world }) => {
  const app = createGateway({
    // a pool that is gone stands for whatever may go wrong inside
    domain: { ...world.domain, wake: undefined as never },
    log: quiet,
    baseUrl: () => 'http://127.0.0.1',
    limiter: limiterWith(),
    isEnabled: true,
  })
  const { mission } = await world.missionWith(['One'])
  const params = {
    name: 'svc_launch_objective',
    arguments: { objectiveId: mission.objectives[0].id, agent: 'scripted' },
  }
  const request = {
    method: 'POST',
    headers: {
      host: '127.0.0.1',
      'content-type': 'application/json',
      ...bearer(world.alice.token),
    },
    body: JSON.stringify({ ...listTools, method: 'tools/call', params }),
  }
  const answer = await app.request('/mcp', request, {})
  const body = (await answer.json()) as { error: { data: { requestId: string } } }
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32603,
      message: 'Internal error',
      data: { requestId: answer.headers.get('x-request-id') },
    },
  })
})

// each path gets some of the values that nobody should send, and each value comes to some paths
answersSpoiled({ each: 7 })

test.for(['an old client', 'a new client'])(
  'an odd report and odd rationales of %s leave a warning, and the delivery stands',
  { tags: 'large' },
  async (client, { world, gateway }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const name = 'svc_deliver_session'
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const zeros = `[${'0,'.repeat(1500)}0]`
    const odd = `[{"constructor":1},{"filePath":"a\\u0000"},{"filePath":"a.ts","\\ud800":1},${deep},${zeros}]`
    const said = { report: 'odd', changeRationales: 'odd' }
    const args = { sessionKey: agent.sessionKey(), summary: 'Done.', ...said }
    const isNew = client === 'a new client'
    const message = isNew
      ? modern('tools/call', { name, arguments: args })
      : { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const body = JSON.stringify(message).replaceAll('"odd"', odd)
    const headers = isNew ? modernHeaders('tools/call', name) : {}
    const answer = await gateway.post(world.alice.token, body, headers)
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain('changeRationales[1] dropped')
    expect(text).toContain('report is read as its humanActions')
    expect((await world.alice.objective(mission.objectives[0])).state).toBe('complete')
  },
)
