import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { version } from '@svc/contracts/version'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}
type Reply = (response: ServerResponse, attempt: number) => void

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A real server that replies as told, and a client of it. */
async function serving(reply: Reply, options: Partial<ClientOptions> = {}) {
  const received: Received[] = []
  server = createServer((request, response) => {
    void readText(request).then((body) => {
      const { method, url, headers } = request
      received.push({ method, url, headers, body })
      reply(response, received.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const retry = { attempts: 3, firstMs: 1, mostMs: 2 }
  return { client: createClient({ baseUrl, token: 'svcut_test', retry, ...options }), received }
}

async function readText(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString('utf8')
}

function json(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

const refusal = (code: string, details = {}, next?: object) => ({
  error: { code, message: 'Do something else.', details, next, requestId: 'r-1' },
})

const launch = (client: Client) =>
  client.call('launchObjective', { id: 'web:12.k7qd', agent: 'scripted' })

describe('a call', () => {
  test('puts each field where its contract wants it', async () => {
    const { client, received } = await serving(
      (response) => json(response, 200, { missions: [] }),
      {
        device: 'device-1',
      },
    )
    await client.call('listMissions', { limit: 5, query: 'a b&c' })
    await launch(client)

    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/api/missions?limit=5&query=a+b%26c',
      body: '',
    })
    expect(received[0]?.headers).toMatchObject({
      authorization: 'Bearer svcut_test',
      'x-svc-device': 'device-1',
    })
    expect(received[1]).toMatchObject({
      method: 'POST',
      url: '/api/objectives/web%3A12.k7qd/launch',
      body: '{"agent":"scripted"}',
    })
    expect(received[1]?.headers['content-type']).toBe('application/json')
  })

  test('sends bytes with their headers and gives bytes with theirs', async () => {
    const { client, received } = await serving((response, attempt) => {
      if (attempt === 1) return json(response, 200, { nextOffset: 3 })
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'x-svc-next-offset': '3',
      })
      response.end(Buffer.from([1, 2, 255]))
    })
    const id = '0192f0c1-2345-7abc-8def-0123456789ab'
    const bytes = Buffer.from('log')
    await client.call('appendRunLog', { id, 'x-svc-lease': 'l', 'x-svc-offset': 0, bytes })
    expect(received[0]).toMatchObject({ url: `/api/runner/requests/${id}/logs`, body: 'log' })
    expect(received[0]?.headers).toMatchObject({
      'x-svc-lease': 'l',
      'content-type': 'application/octet-stream',
    })

    const log = await client.call('getRunLog', { id })
    expect([...log.bytes]).toEqual([1, 2, 255])
    expect(log.headers['x-svc-next-offset']).toBe('3')
  })

  test('of an agent goes to its operation', async () => {
    const { client, received } = await serving((response) =>
      json(response, 200, { lastHeardAt: 'now' }),
    )
    await client.protocol('heartbeat', { sessionKey: 'sess_x', percent: 10 })
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/api/protocol/heartbeat',
      body: '{"sessionKey":"sess_x","percent":10}',
    })
  })

  test('of what is no operation is an error of the call, and none of whoever calls', async () => {
    const { client } = await serving((response) => json(response, 200, {}))
    // as a program without types may ask
    const asked = client.call('flyToMoon' as 'getMe', {})
    await expect(asked).rejects.toThrow(TypeError)
  })

  test('answers nothing where the contract has no answer', async () => {
    const { client } = await serving((response) => response.writeHead(204).end())
    const id = '0192f0c1-2345-7abc-8def-0123456789ab'
    expect(await client.call('revokeUserToken', { id })).toBeUndefined()
  })
})

describe('a refusal', () => {
  test('is thrown with all it says, and not tried again', async () => {
    const { client, received } = await serving((response) =>
      json(response, 409, refusal('mission_busy', { displayId: 'web:12.aaaa' })),
    )
    const error = await launch(client).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'mission_busy',
      message: 'Do something else.',
      details: { displayId: 'web:12.aaaa' },
      requestId: 'r-1',
      status: 409,
    })
    expect(received).toHaveLength(1)
  })

  test('carries its next step, if that is one that is known here', async () => {
    const known = { operation: 'listMissions', params: {} }
    const { client } = await serving((response, attempt) =>
      json(
        response,
        404,
        refusal('not_found', {}, attempt === 1 ? known : { operation: 'flyToMoon', params: {} }),
      ),
    )
    await expect(launch(client)).rejects.toMatchObject({ code: 'not_found', next: known })
    await expect(launch(client)).rejects.toMatchObject({ code: 'not_found', next: undefined })
  })

  test('is seen in a long answer whose status was sent before', async () => {
    const { client } = await serving((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('  ')
      response.end(JSON.stringify(refusal('runner_removed')))
    })
    await expect(launch(client)).rejects.toMatchObject({ code: 'runner_removed' })
  })

  test('in a long answer is tried again where it may pass, as any other is', async () => {
    const { client, received } = await serving((response, attempt) =>
      json(response, 200, attempt < 3 ? refusal('unavailable') : { executionRequest: {} }),
    )
    await expect(launch(client)).resolves.toEqual({ executionRequest: {} })
    expect(received).toHaveLength(3)
  })

  test('with a code of a newer service counts as its status does', async () => {
    const { client } = await serving((response) => json(response, 403, refusal('moon_is_full')))
    await expect(launch(client)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('by something that is not the service is no refusal of the service', async () => {
    const { client } = await serving((response) => response.writeHead(404).end('<html>'))
    await expect(launch(client)).rejects.toThrow(UnreachableError)
  })

  // a proxy that knows no such host, and a login page
  test.each(['', '<html>'])('by something that is not the service is no answer: %j', async (it) => {
    const { client, received } = await serving((response) => response.writeHead(200).end(it))
    const failing = launch(client)
    await expect(failing).rejects.toThrow(UnreachableError)
    await expect(failing).rejects.toThrow('check its base URL')
    expect(received).toHaveLength(1)
  })
})

test.each(['', '  ', '{"executionRequest":'])(
  'an answer that broke off is asked for again under its key: %j',
  async (part) => {
    const { client, received } = await serving((response, attempt) => {
      if (attempt > 1) return json(response, 200, { executionRequest: {} })
      response.writeHead(200, { 'content-type': 'application/json' }).end(part)
    })
    await expect(launch(client)).resolves.toEqual({ executionRequest: {} })
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([keys[0], keys[0]])
  },
)

describe('another version of the service', () => {
  const answered = async (served: string, status = 200) => {
    const heard: string[] = []
    const onOtherVersion = (other: string) => void heard.push(other)
    const { client, received } = await serving(
      (response) =>
        json(response, status, status === 200 ? { userTokens: [] } : refusal('forbidden'), {
          'x-svc-version': served,
        }),
      { onOtherVersion },
    )
    for (let call = 0; call < 2; call += 1) {
      await client.call('listUserTokens', {}).catch(() => undefined)
    }
    expect(received.map(({ headers }) => headers['x-svc-version'])).toEqual([version, version])
    return heard
  }

  test('is told once, by whatever answer it comes', async () => {
    expect(await answered('99.0.0')).toEqual(['99.0.0'])
    expect(await answered('99.0.0', 403)).toEqual(['99.0.0'])
  })

  test('is none where the last number alone differs', async () => {
    expect(await answered(version.replace(/\d+$/, '99'))).toEqual([])
  })
})

test('the credential goes to no address that an answer names', async () => {
  const { client, received } = await serving((response) => {
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await expect(client.call('listUserTokens', {})).rejects.toThrow('answered 307')
  const first = client
    .feed({ signal: AbortSignal.timeout(200) })
    [Symbol.asyncIterator]()
    .next()
  expect(await first).toMatchObject({ done: true })
  expect(received.map(({ url }) => url)).not.toContain('/elsewhere')
})

test('a call ends when the caller aborts in the middle of the answer', async () => {
  const caller = new AbortController()
  const { client } = await serving((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{', () => caller.abort(new Error('never mind')))
  })
  await expect(client.call('listUserTokens', {}, { signal: caller.signal })).rejects.toThrow(
    'never mind',
  )
})

describe('trying again', () => {
  test.each([429, 502, 503, 504])(
    'helps over a %i, under the same idempotency key',
    async (status) => {
      const { client, received } = await serving((response, attempt) =>
        attempt < 3
          ? json(response, status, refusal('unavailable'))
          : json(response, 201, { reused: false }),
      )
      expect(await launch(client)).toEqual({ reused: false })
      const keys = received.map((request) => request.headers['idempotency-key'])
      expect(keys).toHaveLength(3)
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
      expect(new Set(keys).size).toBe(1)
    },
  )

  test('helps over a broken connection', async () => {
    const { client, received } = await serving((response, attempt) =>
      attempt < 3 ? response.socket?.destroy() : json(response, 200, { userTokens: [] }),
    )
    await client.call('listUserTokens', {})
    expect(received).toHaveLength(3)
  })

  test.each([
    ['a try that got no answer', (response: ServerResponse) => void response.destroy(), true],
    [
      'too many calls, none of which was carried out',
      (response: ServerResponse) => json(response, 429, refusal('rate_limited')),
      false,
    ],
  ])('has a refusal say whether it came after %s', async (_what, fail, isAfterSilence) => {
    const { client } = await serving((response, attempt) =>
      attempt === 1 ? fail(response) : json(response, 401, refusal('unauthenticated')),
    )
    await expect(launch(client)).rejects.toMatchObject({ code: 'unauthenticated', isAfterSilence })
  })

  test('helps over an answer that breaks off in the middle', async () => {
    const { client, received } = await serving((response, attempt) => {
      if (attempt === 3) return json(response, 200, { userTokens: [] })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"userTokens":', () => response.socket?.destroy())
    })
    expect(await client.call('listUserTokens', {})).toEqual({ userTokens: [] })
    expect(received).toHaveLength(3)
  })

  test('ends, and then says that the service cannot be reached', async () => {
    const { client, received } = await serving((response) =>
      json(response, 503, refusal('unavailable')),
    )
    const error = await launch(client).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreachableError)
    expect(String(error)).toContain('Do something else.')
    expect(received).toHaveLength(3)
  })

  test('ends when the caller aborts', async () => {
    const caller = new AbortController()
    const { client } = await serving((response) => {
      caller.abort(new Error('never mind'))
      json(response, 503, refusal('unavailable'), { 'retry-after': '60' })
    })
    await expect(client.call('listUserTokens', {}, { signal: caller.signal })).rejects.toThrow(
      'never mind',
    )
  })

  test('keeps the key that the caller gave, and gives none to what has an identity of its own', async () => {
    const { client, received } = await serving((response) => json(response, 200, {}))
    await client.call('createProject', { name: 'web' }, { idempotencyKey: 'mine' })
    await client.call('heartbeatRunner', {
      instanceId: '0192f0c1-2345-7abc-8def-0123456789ab',
      leases: [],
    })
    expect(received.map((request) => request.headers['idempotency-key'])).toEqual([
      'mine',
      undefined,
    ])
  })
})

describe('the feed', () => {
  const event = (id: string) => `id: ${id}\nevent: change\ndata: {"entity":"mission"}\n\n`

  test('goes on where it broke off', async () => {
    const { client, received } = await serving((response, attempt) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`:\n\n${event(`${attempt}.1`)}`)
      response.end(event(`${attempt}.2`))
    })
    const ids: string[] = []
    for await (const { id } of client.feed({ missionId: 'web:12', cursor: '0.9' })) {
      ids.push(id)
      if (ids.length === 4) break
    }
    expect(ids).toEqual(['1.1', '1.2', '2.1', '2.2'])
    expect(received.map((request) => request.headers['last-event-id'])).toEqual(['0.9', '1.2'])
    expect(received[0]?.url).toBe('/api/missions/web%3A12/feed')
  })

  test('that breaks after its start, before any change, goes on from there', async () => {
    const start = 'id: 7.0.6\nevent: start\ndata: {"version":"0.1.0"}\n\n'
    const { client, received } = await serving((response, attempt) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (attempt === 1) return response.end(start)
      response.write(start + event('7.1.6'))
    })
    const heard: string[] = []
    for await (const { event: name, id } of client.feed()) {
      heard.push(`${name} ${id}`)
      if (name === 'change') break
    }
    expect(heard).toEqual(['start 7.0.6', 'start 7.0.6', 'change 7.1.6'])
    expect(received.map((request) => request.headers['last-event-id'])).toEqual([
      undefined,
      '7.0.6',
    ])
  })

  test('passes over what a later version says', async () => {
    const { client } = await serving((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`id: 1.1\nevent: toString\ndata: {}\n\n${event('1.2')}`)
    })
    const first = await client.feed()[Symbol.asyncIterator]().next()
    expect(first.value).toMatchObject({ event: 'change', id: '1.2' })
  })

  test('comes back when the service was away', async () => {
    const { client, received } = await serving((response, attempt) => {
      if (attempt === 1) return response.socket?.destroy()
      if (attempt === 2) return json(response, 503, refusal('unavailable'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event('3.1'))
    })
    for await (const { id } of client.feed()) {
      expect(id).toBe('3.1')
      break
    }
    expect(received).toHaveLength(3)
  })

  test.each([
    ['by its status', (response: ServerResponse) => json(response, 404, refusal('not_found'))],
    [
      'by an event',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`event: error\ndata: ${JSON.stringify(refusal('not_found'))}\n\n`)
      },
    ],
  ])('throws a refusal told %s', async (_how, reply) => {
    const { client } = await serving(reply)
    const first = client.feed()[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject({ code: 'not_found' })
  })

  test('comes back after a failure that passes, told by an event', async () => {
    const { client } = await serving((response, attempt) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (attempt > 1) return response.write(event('2.1'))
      response.end(`event: error\ndata: ${JSON.stringify(refusal('unavailable'))}\n\n`)
    })
    const first = await client.feed()[Symbol.asyncIterator]().next()
    expect(first.value?.id).toBe('2.1')
  })

  test('ends quietly when it is aborted', async () => {
    const reader = new AbortController()
    const { client } = await serving((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event('1.1'))
    })
    const ids: string[] = []
    for await (const { id } of client.feed({ signal: reader.signal })) {
      ids.push(id)
      reader.abort()
    }
    expect(ids).toEqual(['1.1'])
  })
})
