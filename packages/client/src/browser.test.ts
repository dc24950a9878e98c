import { once } from 'node:events'
import { type IncomingHttpHeaders, type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBrowserClient } from './browser.ts'
import { RefusedError, UnreachableError } from './errors.ts'

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A real server that answers as told, and a client of it with the `fetch` that Node has of browsers. */
async function serving(answer: RequestListener, more: { quietMs?: number } = {}) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((parts) => {
      const { method, url, headers } = request
      received.push({ method, url, headers, body: Buffer.concat(parts).toString('utf8') })
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // it listens on a port
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const versions: string[] = []
  const client = createBrowserClient({
    baseUrl,
    workspace: 'acme',
    retry: { attempts: 2, firstMs: 1, mostMs: 2 },
    onVersion: (served) => versions.push(served),
    ...more,
  })
  return { client, received, versions }
}

const json = (status: number, value: unknown): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-svc-version': '0.1.7' })
    response.end(JSON.stringify(value))
  }
}

describe('a client in a browser', () => {
  test('says which workspace it means, and puts each field where its contract wants it', async () => {
    const { client, received, versions } = await serving(json(200, { mission: { title: 'b' } }))
    await client.call('updateMission', { id: 'web:12', title: 'b' }, { idempotencyKey: 'k-1' })
    expect(received).toMatchObject([
      { method: 'PATCH', url: '/api/missions/web%3A12', body: '{"title":"b"}' },
    ])
    expect(received[0]?.headers).toMatchObject({
      'x-svc-workspace': 'acme',
      'x-svc-version': expect.any(String),
      'idempotency-key': 'k-1',
    })
    expect(versions).toEqual(['0.1.7'])
  })

  test(
    'gives up a call that is not answered, sends it once more, and says that it may pass',
    { tags: 'large' },
    async () => {
      // as long as a busy machine may take to connect
      const { client, received } = await serving(() => undefined, { quietMs: 2_000 })
      const call = client.call('updateMission', { id: 'web:12', title: 'b' })
      await expect(call).rejects.toMatchObject({ mayPass: true })
      await expect.poll(() => received.length).toBeGreaterThan(1)
      const [first, second, ...others] = received.map(({ headers }) => headers['idempotency-key'])
      expect([second, others]).toEqual([first, []])
    },
  )

  test('throws what the service refuses with, and its step if that is known here', async () => {
    const refusal = (next: object) =>
      json(409, { error: { code: 'mission_busy', message: 'Wait.', next, requestId: 'r' } })
    const known = { operation: 'getObjective', params: { id: 'web:1.aaaa' } }
    const { client } = await serving(refusal(known))
    const error = await client.call('getMission', { id: 'web:1' }).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({ code: 'mission_busy', status: 409, next: known })
    const { client: other } = await serving(refusal({ operation: 'flyToMoon', params: {} }))
    await expect(other.call('getMission', { id: 'web:1' })).rejects.toMatchObject({
      next: undefined,
    })
  })

  test('says that it cannot reach a service, which may pass', async () => {
    const { client, received } = await serving((_request, response) => response.destroy())
    const error = await client.call('getMission', { id: 'web:1' }).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(UnreachableError)
    expect(received).toHaveLength(2)
  })

  test('follows the feed from its last cursor on over a broken connection', async () => {
    const event = (id: string) => `id: ${id}\nevent: change\ndata: {"entityId":"${id}"}\n\n`
    let connections = 0
    const { client, received } = await serving((_request, response) => {
      connections += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event(`1.${connections}`), () => connections === 1 && response.destroy())
    })
    const over = new AbortController()
    const seen: string[] = []
    for await (const { id } of client.feed({ signal: over.signal })) {
      seen.push(id)
      if (seen.length === 2) over.abort()
    }
    expect(seen).toEqual(['1.1', '1.2'])
    expect(received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1.1'])
  })
})
