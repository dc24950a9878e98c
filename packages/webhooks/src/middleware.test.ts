import { type AddressInfo } from 'node:net'
import { type IncomingMessage, createServer } from 'node:http'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type WebhookRequest, verifyWebhook as verifyInExpress } from './express.ts'
import { type WebhookEnv, verifyWebhook as verifyInHono } from './hono.ts'
import type { ReceiverOptions } from './receive.ts'
import { createMemoryStore } from './seen-store.ts'
import { sign } from './sign.ts'

const secret = 'whsec_c2VjcmV0'
const now = 1_735_689_600
const delivery = (id: string) => JSON.stringify({ id, type: 'mission.created', data: { n: 1 } })

interface Consumer {
  post: (body: string | Uint8Array, signature?: string | null) => Promise<Response>
}

/** What the consumer's handler answers, in turn; 200 once these are used up. */
type Handler = (handled: unknown) => number | Promise<number>

function startHono(handler: Handler, options: Partial<ReceiverOptions>): Promise<Consumer> {
  const app = new Hono<WebhookEnv>()
  app.onError(() => new Response(null, { status: 500 }))
  app.post('/hook', verifyInHono({ secret, now: () => now, ...options }), async (context) => {
    const status = await handler(context.get('webhook'))
    return new Response('ok', { status })
  })
  return Promise.resolve({
    post: async (body, signature) =>
      app.request('/hook', { method: 'POST', body, headers: headersOf(body, signature) }),
  })
}

async function startExpress(
  handler: Handler,
  options: Partial<ReceiverOptions>,
): Promise<Consumer> {
  const middleware = verifyInExpress({ secret, now: () => now, ...options })
  const server = createServer((request: WebhookRequest & IncomingMessage, response) => {
    const fail = () => response.writeHead(500).end()
    middleware(request, response, (error) => {
      if (error) return fail()
      Promise.resolve(request.webhook)
        .then(handler)
        .then((status) => response.writeHead(status).end('ok'), fail)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server listening on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    post: (body, signature) =>
      fetch(`http://127.0.0.1:${port}/hook`, {
        method: 'POST',
        body,
        headers: headersOf(body, signature),
      }),
  }
}

function headersOf(body: string | Uint8Array, signature?: string | null): Record<string, string> {
  if (signature === null) return {}
  return { 'x-svc-signature': signature ?? sign({ secret, timestamp: now, body }) }
}

describe.each([
  ['hono', startHono],
  ['express', startExpress],
])('the middleware for %s', (_, start) => {
  const consumer = async (answers: number[] = [], options: Partial<ReceiverOptions> = {}) => {
    const events: unknown[] = []
    const handler = (event: unknown) => {
      events.push(event)
      return answers.shift() ?? 200
    }
    return { events, ...(await start(handler, options)) }
  }

  test('hands over the parsed body of a signed delivery', async () => {
    const { post, events } = await consumer()
    expect((await post(delivery('é🚀\u2028'))).status).toBe(200)
    expect(events).toEqual([{ id: 'é🚀\u2028', type: 'mission.created', data: { n: 1 } }])
  })

  test.each<[string, string | null, string]>([
    ['unsigned', null, 'missing_header'],
    [
      'wrongly signed',
      sign({ secret: 'whsec_x', timestamp: now, body: delivery('1') }),
      'wrong_signature',
    ],
    ['late', sign({ secret, timestamp: now - 301, body: delivery('1') }), 'stale_timestamp'],
  ])('refuses a delivery that is %s', async (__, signature, code) => {
    const { post, events } = await consumer()
    const response = await post(delivery('1'), signature)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: code, message: expect.any(String) },
    ])
    expect(events).toEqual([])
  })

  test.each<[string, string | Uint8Array]>([
    ['not JSON', 'hello'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['without an id', '{"type":"x"}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('refuses a signed body that is %s', async (__, body) => {
    const { post, events } = await consumer()
    const response = await post(body)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'malformed_body' },
    ])
    expect(events).toEqual([])
  })

  test('refuses a body over its limit', async () => {
    const { post, events } = await consumer([], { maxBytes: 100 })
    const response = await post(delivery('x'.repeat(100)))
    expect(response.status).toBe(413)
    expect(events).toEqual([])
  })

  test('answers a repeated delivery without handling it twice', async () => {
    const { post, events } = await consumer()
    await post(delivery('1'))
    await expect.poll(async () => (await post(delivery('1'))).json()).toEqual({ duplicate: true })
    await post(delivery('2'))
    expect(events).toMatchObject([{ id: '1' }, { id: '2' }])
  })

  test('lets a delivery through again whose handling failed', async () => {
    const { post, events } = await consumer([500, 201])
    expect((await post(delivery('1'))).status).toBe(500)
    await expect.poll(async () => (await post(delivery('1'))).status).toBe(201)
    expect(events).toMatchObject([{ id: '1' }, { id: '1' }])
  })

  test('lets a delivery through again whose handler threw', async () => {
    const events: unknown[] = []
    const { post } = await start((event) => {
      events.push(event)
      if (events.length === 1) throw new Error('boom')
      return 200
    }, {})
    expect((await post(delivery('1'))).status).toBe(500)
    await expect.poll(async () => (await post(delivery('1'))).status).toBe(200)
    expect(events).toHaveLength(2)
  })

  test('refuses an attempt while another one of its delivery is being handled', async () => {
    const gate = Promise.withResolvers<number>()
    const entered = Promise.withResolvers<void>()
    const { post } = await start(() => {
      entered.resolve()
      return gate.promise
    }, {})
    const first = post(delivery('1'))
    await entered.promise
    expect((await post(delivery('1'))).status).toBe(409)
    gate.resolve(200)
    expect((await first).status).toBe(200)
  })
})

test('the middleware for express says when a parser has taken the raw body', async () => {
  const request = { headers: {}, body: { id: '1' }, async *[Symbol.asyncIterator]() {} }
  const error = await new Promise((resolve) => {
    const response = { statusCode: 200, writableFinished: false } as never
    verifyInExpress({ secret })(request, response, resolve)
  })
  expect(String(error)).toContain('before express.json()')
})

test('the memory store forgets the oldest handled deliveries beyond its limit', async () => {
  const store = createMemoryStore(2)
  for (const id of ['1', '2', '3']) {
    await store.begin(id)
    await store.finish(id)
  }
  expect([await store.begin('1'), await store.begin('2'), await store.begin('3')]).toEqual([
    'new',
    'handled',
    'handled',
  ])
})
