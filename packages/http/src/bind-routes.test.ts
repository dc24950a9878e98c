import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ServiceError } from '@svc/contracts/errors'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { createLog } from '@svc/process/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, bindRoutes } from './bind-routes.ts'
import { createApp } from './create-app.ts'
import type { Input } from './parse-input.ts'
import { createRateLimiter } from './rate-limit.ts'
import { type Serving, serve } from './serve.ts'
import { unlimited } from './testing/unlimited.ts'

const byId = z.strictObject({ id: z.string().regex(/^[a-z]/, 'begin with a letter') })
const anything = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  more: z.json().optional(),
  named: z.record(z.string().regex(/^[a-z]+$/, 'use small letters'), z.number()).optional(),
})
const contracts = {
  readThing: {
    method: 'GET',
    path: '/api/things/:id',
    permission: 'any',
    params: byId,
    query: z.strictObject({ limit: z.coerce.number().int().default(50) }),
    headers: z.strictObject({ 'x-svc-device': z.string().optional() }),
    answer: z.unknown(),
    status: 200,
  },
  writeThing: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/things/:id',
    permission: 'any',
    params: byId,
    body: anything.partial(),
    bodyBytes: 20_000,
    answer: z.unknown(),
    status: 201,
    reusedStatus: 200,
  },
  adviseThing: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/things/:id/advice',
    permission: 'any',
    params: byId,
    body: z.strictObject({ advice: z.unknown(), also: z.unknown(), more: z.json().optional() }),
    advice: ['advice', 'also'],
    answer: z.unknown(),
    status: 200,
  },
  touchThing: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/things/:id/touch',
    permission: 'any',
    params: byId,
    answer: z.unknown(),
    status: 200,
  },
  dropThing: {
    method: 'DELETE',
    repeat: 'keyed',
    path: '/api/things/:id',
    permission: 'any',
    params: byId,
    answer: 'none',
    status: 204,
  },
  sendBytes: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/bytes',
    permission: 'any',
    headers: z.strictObject({ 'x-svc-offset': z.coerce.number() }),
    body: 'bytes',
    bodyBytes: 1000,
    answer: 'bytes',
    status: 200,
  },
  waitForThing: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/wait',
    permission: 'any',
    body: z.strictObject({ for: z.enum(['nothing', 'a while', 'a refusal', 'ever']) }),
    answer: z.unknown(),
    status: 200,
    slow: true,
  },
  failThing: {
    method: 'POST',
    repeat: 'keyed',
    path: '/api/fail',
    permission: 'any',
    answer: z.unknown(),
    status: 200,
  },
} as const satisfies Record<string, EndpointContract>

interface Seen {
  name: string
  actor: string
  input: Input
  call: Call
}

let server: Serving
let last: Seen | undefined
const logged: string[] = []
const aborted = Promise.withResolvers<void>()

async function handle(seen: Seen): Promise<unknown> {
  last = seen
  const { name, input, call } = seen
  if (name === 'failThing') throw new Error('the password is hunter2')
  if (name === 'sendBytes') return { bytes: input['bytes'], headers: { 'x-svc-next-offset': '7' } }
  if (name === 'waitForThing') return waitFor(String(input['for']), call.signal)
  return { input, reused: input['name'] === 'again' }
}

const next = { operation: 'connectResource', params: { resourceKey: 'web' } } as const

async function waitFor(what: string, signal: AbortSignal): Promise<unknown> {
  if (what === 'nothing') return { waited: false }
  await new Promise<void>((resolve) => {
    if (what !== 'ever') setTimeout(resolve, 500)
    signal.addEventListener('abort', () => resolve())
  })
  if (signal.aborted) aborted.resolve()
  if (what === 'a refusal')
    throw new ServiceError('runner_removed', 'Start again.', undefined, { next })
  return { waited: true }
}

async function open(): Promise<Serving> {
  const log = createLog({
    name: 'test',
    level: 'error',
    to: { write: (line: string) => void logged.push(line) },
  })
  const app = createApp(log)
  bindRoutes(app, {
    contracts,
    authenticate: async ({ bearer }) => {
      if (bearer === undefined) throw new ServiceError('unauthenticated', 'Send a token.')
      return bearer
    },
    callerOf: (actor) => ({ tokenId: actor, workspaceId: 'here' }),
    limiter: createRateLimiter(unlimited),
    call: (name, actor, input, call) => handle({ name, actor, input, call }),
    log,
    slow: { patienceMs: 30, everyMs: 20 },
  })
  return serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log })
}
beforeAll(async () => {
  server = await open()
})
afterAll(() => server[Symbol.asyncDispose]())

const json = { 'content-type': 'application/json' }

async function send(
  method: string,
  path: string,
  init: {
    headers?: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer>
    token?: string | null
  } = {},
) {
  const { headers = {}, body, token = 'alice' } = init
  const response = await fetch(server.url + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text || '{}') }
}

interface RefusalBody {
  error: { code: string; requestId: string; details: { fields: { path: string }[] } }
}

function parse(text: string): RefusalBody {
  // What the tests look into are refusals.
  return JSON.parse(text) as RefusalBody
}

const post = (path: string, value: unknown, headers: Record<string, string> = {}) =>
  send('POST', path, { headers: { ...json, ...headers }, body: JSON.stringify(value) })

describe('a bound route', () => {
  test('hands over query, headers and path in one parsed object', async () => {
    const answer = await send('GET', '/api/things/web%3A12?limit=7', {
      headers: { 'x-svc-device': 'd1' },
    })
    expect(answer.status).toBe(200)
    expect(last).toMatchObject({ name: 'readThing', actor: 'alice' })
    expect(last?.input).toEqual({ id: 'web:12', limit: 7, 'x-svc-device': 'd1' })
  })

  test('lets no body override what the path names', async () => {
    const answer = await post('/api/things/mine', { id: 'yours', name: 'n' })
    expect(answer.status).toBe(201)
    expect(last?.input).toEqual({ id: 'mine', name: 'n' })
  })

  test('answers a repeated work with its own status', async () => {
    expect((await post('/api/things/a', { name: 'again' })).status).toBe(200)
  })

  test('answers without a body where the contract has none', async () => {
    const answer = await send('DELETE', '/api/things/a')
    expect(answer).toMatchObject({ status: 204, text: '' })
  })

  test('takes and gives bytes', async () => {
    const bytes = Uint8Array.from([0, 255, 128])
    const answer = await fetch(`${server.url}/api/bytes`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer a',
        'content-type': 'application/octet-stream',
        'x-svc-offset': '4',
      },
      body: bytes,
    })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(answer.headers.get('x-svc-next-offset')).toBe('7')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(last?.input['x-svc-offset']).toBe(4)
  })

  test('gives every answer a request id and the headers of an API', async () => {
    for (const answer of [await send('GET', '/api/things/a'), await send('GET', '/api/none')]) {
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('a refusal', () => {
  test('of a call without a token is 401 and names the scheme', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }] as Record<string, string>[]) {
      const answer = await send('GET', '/api/things/a', { token: null, headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body.error).toMatchObject({
        code: 'unauthenticated',
        requestId: answer.headers.get('x-request-id'),
      })
    }
  })

  test('comes before the input is looked at', async () => {
    expect((await send('POST', '/api/things/a', { token: null, body: '{' })).status).toBe(401)
  })

  test('of an unknown path is 404 and of a wrong method 405 with Allow', async () => {
    const unknown = await send('GET', '/api/nothing/here')
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])
    const wrong = await send('PUT', '/api/things/a')
    expect([wrong.status, wrong.body.error.code]).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.get('allow')).toBe('DELETE, GET, HEAD, POST')
  })

  test('lists every bad field', async () => {
    const answer = await post('/api/things/a', { name: 1, color: 'red' })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(answer.body.error.details.fields).toEqual([
      { path: 'name', message: 'give a text' },
      { path: 'color', message: 'this field is not known here' },
    ])
  })

  test('says of a name what is wrong with it, in the words of its rule', async () => {
    const answer = await post('/api/things/a', { named: { ok: 1, 'A B': 1, last: 'x' } })
    expect(answer.body.error.details.fields).toEqual([
      { path: 'named.A B', message: 'use small letters' },
      { path: 'named.last', message: 'give a number' },
    ])
  })

  test('of a bad path, a query given twice or a query nobody reads is 400', async () => {
    expect((await send('GET', '/api/things/1')).body.error.details.fields).toEqual([
      { path: 'id', message: 'begin with a letter' },
    ])
    expect((await send('GET', '/api/things/a?limit=1&limit=2')).status).toBe(400)
    expect((await send('GET', '/api/things/a?page=1')).status).toBe(400)
    expect((await send('POST', '/api/things/a/touch?force=1')).status).toBe(400)
  })

  test.each(['{', 'null', '[]', '"text"', '{"name":"\\ud83d"'])(
    'of the body %j is 400',
    async (body) => {
      const answer = await send('POST', '/api/things/a', { headers: json, body })
      expect(answer.status).toBe(400)
      expect(answer.body.error.details.fields).toHaveLength(1)
    },
  )

  test('of an empty body there is none when every field may be left out', async () => {
    expect((await send('POST', '/api/things/a', { headers: json, body: '' })).status).toBe(201)
  })

  test('of bytes that are not UTF-8 is 400', async () => {
    const body = Uint8Array.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')])
    expect((await send('POST', '/api/things/a', { headers: json, body })).status).toBe(400)
  })

  test('of another content type, charset or encoding is 415', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]
    for (const type of types) {
      const answer = await send('POST', '/api/things/a', {
        headers: { 'content-type': type },
        body: '{}',
      })
      expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type'])
    }
    const body = Uint8Array.from(gzipSync('{}'))
    const headers = { ...json, 'content-encoding': 'gzip' }
    expect((await send('POST', '/api/things/a', { headers, body })).status).toBe(415)
    expect((await post('/api/bytes', {}, { 'x-svc-offset': '1' })).status).toBe(415)
  })

  test('of too large a body is 413, whether its length is said or not', async () => {
    const name = 'x'.repeat(30_000)
    const said = await post('/api/things/a', { name })
    expect([said.status, said.body.error.code]).toEqual([413, 'too_large'])
    expect(await sendChunked('/api/things/a', 30)).toBe(413)
    expect(await sendChunked('/api/things/a', 3)).toBe(201)
  })

  test.each([
    ['less than its length says', 'content-length: 40', '{"name":"begun"}'],
    ['no last chunk', 'transfer-encoding: chunked', '10\r\n{"name":"begun"}\r\n'],
  ])('a body of which %s has come is given to nobody', async (_what, header, begun) => {
    last = undefined
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    const head = ['POST /api/things/a HTTP/1.1', 'host: x', 'authorization: Bearer a', header]
    socket.write([...head, 'content-type: application/json', '', begun].join('\r\n'))
    // the answer to what comes after it says that it was looked at
    expect((await send('GET', '/api/things/b')).status).toBe(200)
    socket.resume().end()
    await once(socket, 'close')
    expect(last).toMatchObject({ name: 'readThing' })
  })

  test.each([
    ['nested too deep', { more: nested(32) }],
    ['an array too long', { more: Array.from({ length: 1001 }, () => 0) }],
    ['an object with too many keys', { more: Object.fromEntries(keys(2001)) }],
  ])('of JSON with %s is 400', async (_what, value) => {
    const answer = await post('/api/things/a', value)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.fields[0]?.path).toMatch(/^more/)
  })

  test('of text that no database holds is 400', async () => {
    for (const name of ['a\0b', 'a\ud800b']) {
      expect((await post('/api/things/a', { name })).status).toBe(400)
    }
    expect((await post('/api/things/a', { more: { 'a\0b': 1 } })).status).toBe(400)
    expect((await send('GET', '/api/things/a%00b')).status).toBe(400)
    expect((await post('/api/things/a', { name: 'a\ud83d\ude00b' })).status).toBe(201)
  })

  test('of JSON at the limits there is none', async () => {
    const value = {
      more: {
        deep: nested(29),
        items: Array.from({ length: 1000 }, () => 0),
        keys: Object.fromEntries(keys(1000)),
      },
    }
    expect((await post('/api/things/a', value)).status).toBe(201)
  })

  test.each(['__proto__', 'constructor', 'prototype'])(
    'of the name %s in JSON is 400',
    async (name) => {
      const body = `{"more":{"a":[{"${name}":{"admin":true}}]}}`
      const answer = await send('POST', '/api/things/a', { headers: json, body })
      expect(answer.body.error.details.fields).toEqual([
        { path: `more.a.0.${name}`, message: 'this name is not allowed' },
      ])
    },
  )

  test('of what a row calls advice there is none, and of all beside it there is', async () => {
    const odd =
      '[{"constructor":1},"\\u0000","\\ud800",[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]'
    const path = '/api/things/a/advice'
    for (const advice of [odd, JSON.stringify(Array.from({ length: 5000 }, () => 0))]) {
      const body = `{"advice":${advice},"also":${advice}}`
      expect((await send('POST', path, { headers: json, body })).status).toBe(200)
    }
    expect((await post(path, { advice: 1, also: 1, more: 'a\0b' })).status).toBe(400)
    expect((await post('/api/things/a', { more: { advice: 'a\0b' } })).status).toBe(400)
  })

  test('of a body where none belongs is 400', async () => {
    expect((await post('/api/things/a/touch', { now: true })).status).toBe(400)
    expect((await post('/api/things/a/touch', {})).status).toBe(200)
    expect((await send('POST', '/api/things/a/touch')).status).toBe(200)
  })

  test('that nobody foresaw shows a request id and not its cause, and is logged once', async () => {
    logged.length = 0
    const answer = await send('POST', '/api/fail')
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('hunter2')
    const { requestId } = answer.body.error
    expect(
      logged.filter((line) => line.includes(requestId) && line.includes('hunter2')),
    ).toHaveLength(1)
  })
})

function nested(levels: number): unknown {
  return levels === 0 ? 0 : { in: nested(levels - 1) }
}

function keys(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`k${index}`, 0])
}

/** Sends JSON of so many kilobytes without Content-Length. */
function sendChunked(path: string, kilobytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { ...json, authorization: 'Bearer a' }
    const request = httpRequest(server.url + path, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject)
    request.write('{"name":"')
    for (let sent = 0; sent < kilobytes; sent += 1) request.write('x'.repeat(1000))
    request.end('"}')
  })
}

describe('an idempotency key', () => {
  const keyed = (key: string, value: unknown) =>
    post('/api/things/a', value, { 'idempotency-key': key })

  test('is passed on with the route and a hash of the input', async () => {
    await keyed('key-1', { name: 'n', more: { a: 1, b: [2, { d: 1, c: 2 }] } })
    const first = last?.call.idempotency
    expect(first).toMatchObject({ route: 'writeThing', key: 'key-1' })
    await keyed('key-1', { more: { b: [2, { c: 2, d: 1 }], a: 1 }, name: 'n' })
    expect(last?.call.idempotency?.bodyHash).toEqual(first?.bodyHash)
    await keyed('key-1', { name: 'm' })
    expect(last?.call.idempotency?.bodyHash).not.toEqual(first?.bodyHash)
  })

  test('covers the path too', async () => {
    await post('/api/things/a', {}, { 'idempotency-key': 'k' })
    const first = last?.call.idempotency?.bodyHash
    await post('/api/things/b', {}, { 'idempotency-key': 'k' })
    expect(last?.call.idempotency?.bodyHash).not.toEqual(first)
  })

  test('is absent when none was sent, and on reads', async () => {
    await post('/api/things/a', {})
    expect(last?.call.idempotency).toBeUndefined()
    await send('GET', '/api/things/a', { headers: { 'idempotency-key': 'k' } })
    expect(last?.call.idempotency).toBeUndefined()
  })

  test.each(['two words', 'x'.repeat(256), 'ä'])(
    'of an unusable form is refused: %s',
    async (key) => {
      expect((await keyed(key, {})).status).toBe(400)
    },
  )
})

describe('a slow answer', () => {
  test('that comes soon looks like any other', async () => {
    const answer = await post('/api/wait', { for: 'nothing' })
    expect(answer.text).toBe('{"waited":false}')
  })

  test('keeps the connection busy with spaces', async () => {
    const answer = await post('/api/wait', { for: 'a while' })
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/^ {2,}\{"waited":true\}$/)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  test('that becomes a refusal says so in its JSON', async () => {
    const answer = await post('/api/wait', { for: 'a refusal' })
    expect(answer.status).toBe(200)
    expect(answer.body.error).toMatchObject({
      code: 'runner_removed',
      message: 'Start again.',
      next,
    })
  })

  test('still refuses bad input by its status', async () => {
    expect((await post('/api/wait', { for: 'x' })).status).toBe(400)
  })

  test('is told when its caller has gone', async () => {
    const caller = new AbortController()
    const response = await fetch(`${server.url}/api/wait`, {
      method: 'POST',
      headers: { ...json, authorization: 'Bearer a' },
      body: '{"for":"ever"}',
      signal: caller.signal,
    })
    expect(response.status).toBe(200)
    caller.abort()
    await aborted.promise
  })
})

describe('a server', () => {
  test('ends its long answers when it stops', async () => {
    const stopping = await open()
    const response = await fetch(`${stopping.url}/api/wait`, {
      method: 'POST',
      headers: { ...json, authorization: 'Bearer a' },
      body: '{"for":"ever"}',
    })
    const closed = stopping[Symbol.asyncDispose]()
    expect(await response.json()).toEqual({ waited: true })
    await closed
  })

  test('says in one sentence that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const log = createLog({ name: 'test', level: 'silent' })
    const opening = serve({ app: createApp(log), host: '127.0.0.1', port, drainSeconds: 0, log })
    await expect(opening).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`)
    taken.close()
  })
})
