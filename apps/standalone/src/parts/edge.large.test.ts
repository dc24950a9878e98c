import { once } from 'node:events'
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http'
import { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openEdge } from './edge.ts'
import { freePorts } from './free-ports.ts'

type Answering = (call: IncomingMessage, answer: ServerResponse) => void

/** Says that it is ready, if `isReady` does, and answers all else as told. */
async function openReplica(answering: Answering, isReady = () => true) {
  const server = createServer((call, answer) => {
    if (call.url !== '/readyz') return answering(call, answer)
    answer.writeHead(isReady() ? 200 : 503).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    if (server.listening) server.close()
  }
  onTestFinished(close)
  // a server that listens on a port has an address with one
  return { port: (server.address() as AddressInfo).port, close }
}

async function edgeOf(api: readonly number[], gateway: readonly number[] = []) {
  const [port = 0] = await freePorts(28_000 + Math.floor(Math.random() * 1_000), 1)
  const edge = await openEdge({ host: '127.0.0.1', port, api, gateway })
  onTestFinished(() => edge[Symbol.asyncDispose]())
  return `http://127.0.0.1:${port}`
}

const saying =
  (what: string): Answering =>
  (_call, answer) =>
    void answer.end(what)

describe('the edge of Node', () => {
  test('passes on what it is sent, and who has sent it', async () => {
    const seen: unknown[] = []
    const { port } = await openReplica((call, answer) => {
      void text(call).then((body) => {
        const { method, url, headers } = call
        seen.push({ method, url, body, ...headers })
        answer.writeHead(201, { 'x-own': 'yes' }).end('made')
      })
    })
    const url = await edgeOf([port])
    const answer = await fetch(`${url}/api/missions?a=1`, {
      method: 'POST',
      body: '{"title":"x"}',
      headers: { 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer t' },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-own')).toBe('yes')
    expect(await answer.text()).toBe('made')
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/api/missions?a=1',
        body: '{"title":"x"}',
        host: new URL(url).host,
        authorization: 'Bearer t',
        'x-forwarded-for': '127.0.0.1',
      },
    ])
  })

  test('passes on an answer as it comes', async () => {
    const { port } = await openReplica((_call, answer) => void answer.write('first'))
    const url = await edgeOf([port])
    const gone = new AbortController()
    const { body } = await fetch(url, { signal: gone.signal })
    const { value } = (await body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe('first')
    gone.abort()
  })

  test('sends to the gateway what is its own', async () => {
    const api = await openReplica(saying('api'))
    const gateway = await openReplica(saying('gateway'))
    const url = await edgeOf([api.port], [gateway.port])
    const answered = async (path: string) => (await fetch(`${url}${path}`)).text()
    expect(await answered('/mcp?x=1')).toBe('gateway')
    expect(await answered('/.well-known/oauth-protected-resource/mcp')).toBe('gateway')
    expect(await answered('/mcp-other')).toBe('api')
    expect(await answered('/')).toBe('api')
  })

  test('sends nothing to a replica that is not ready, and has a call wait for one that is', async () => {
    let isReady = false
    const { port } = await openReplica(saying('ready'), () => isReady)
    const never = await openReplica(saying('never'), () => false)
    const url = await edgeOf([never.port, port])
    const answering = fetch(url)
    isReady = true
    expect(await (await answering).text()).toBe('ready')
  })

  test('tries another one, with the whole body, where one has gone', async () => {
    const gone = await openReplica(saying('gone'))
    const there = await openReplica((call, answer) => void call.pipe(answer))
    const url = await edgeOf([gone.port, there.port])
    const seen = async () => (await fetch(url)).text()
    await vi.waitUntil(async () => (await seen()) === 'gone', { timeout: 60_000 })
    gone.close()
    const bodies = Array.from({ length: 20 }, (_, index) => `body ${index} `.repeat(10_000))
    const answers = bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).text())
    expect(await Promise.all(answers)).toEqual(bodies)
  })

  test('does not send again what may have been begun', async () => {
    let calls = 0
    const { port } = await openReplica((call) => {
      calls += 1
      call.socket.destroy()
    })
    const url = await edgeOf([port])
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(502)
    expect(calls).toBe(1)
  })

  test('hears the next call of a connection after one that was answered before its end', async () => {
    const { port } = await openReplica((call, answer) => {
      call.resume()
      if (call.url === '/next') answer.end('next')
      else answer.writeHead(413).end('too large')
    })
    const url = await edgeOf([port])
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = async (path: string, body: string) => {
      const sending = request(`${url}${path}`, { agent, method: 'POST' })
      sending.end(body)
      const [answer] = (await once(sending, 'response')) as [IncomingMessage]
      return [answer.statusCode, await text(answer)]
    }
    expect(await ask('/', 'x'.repeat(20_000_000))).toEqual([413, 'too large'])
    expect(await ask('/next', '')).toEqual([200, 'next'])
  })

  test('breaks off an answer that breaks off', async () => {
    const { port } = await openReplica((_call, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('half', () => answer.destroy())
    })
    const url = await edgeOf([port])
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow('terminated')
  })

  test('lets go of a call when its caller has gone', async () => {
    const left = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { port } = await openReplica((_call, answer) => {
      begun.resolve()
      answer.once('close', left.resolve)
    })
    const url = await edgeOf([port])
    const calling = request(url).on('error', () => undefined)
    calling.end()
    await begun.promise
    calling.destroy()
    await expect(left.promise).resolves.toBeUndefined()
  })
})
