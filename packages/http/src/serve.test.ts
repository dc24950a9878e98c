import { connect } from 'node:net'
import { createLog } from '@svc/process/log'
import { describe, expect, test } from 'vitest'
import { type HttpApp, createApp } from './create-app.ts'
import { bindHealth } from './health.ts'
import { requestSignal } from './request-context.ts'
import { type ServerSentEvent, eventStream } from './server-sent-events.ts'
import { serve } from './serve.ts'

const log = createLog({ name: 'test', level: 'silent' })
const start = (app: HttpApp, drainSeconds = 0) =>
  serve({ app, host: '127.0.0.1', port: 0, drainSeconds, log })

async function* untilAborted(signal: AbortSignal) {
  yield { id: '1.1', event: 'change', data: { text: 'two\nlines' } }
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

function appWithFeed(ended: () => void = () => {}): HttpApp {
  const app = createApp(log)
  app.get('/api/feed', (context) =>
    eventStream(untilAborted(requestSignal(context, true)), {
      describeError: String,
      commentEveryMs: 20,
      onEnd: ended,
    }),
  )
  return app
}

describe('a stopping server', () => {
  test(
    'ends its feeds, lets requests finish and then accepts nobody',
    { tags: 'large' },
    async () => {
      const app = appWithFeed()
      const begun = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      app.get('/api/work', async (context) => {
        begun.resolve()
        await finish.promise
        return context.text(requestSignal(context).aborted ? 'aborted' : 'finished')
      })
      const server = await start(app)
      const feed = await fetch(`${server.url}/api/feed`)
      const work = fetch(`${server.url}/api/work`)
      await begun.promise

      const closed = server[Symbol.asyncDispose]()
      expect(await feed.text()).toContain('id: 1.1')
      // Longer than connections live after the last request.
      setTimeout(finish.resolve, 500)
      expect(await (await work).text()).toBe('finished')
      await closed
      await expect(fetch(`${server.url}/api/work`)).rejects.toThrow('fetch failed')
    },
  )

  test('does not wait for a connection that never sends a byte', async () => {
    const server = await start(createApp(log))
    const socket = connect(server.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const gone = new Promise<string>((resolve) => socket.once('close', () => resolve('gone')))
    socket.on('error', () => {})
    await server[Symbol.asyncDispose]()
    expect(await gone).toBe('gone')
  })

  test(
    'makes its answers the last of their connections, and takes nothing after them',
    { tags: 'large' },
    async () => {
      const app = createApp(log)
      const begun = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      const served: string[] = []
      app.get('/api/task/:name', async (context) => {
        served.push(context.req.param('name'))
        begun.resolve()
        await finish.promise
        return context.text('whole')
      })
      const server = await start(app, 2)
      const socket = connect(server.port, '127.0.0.1')
      const ask = (name: string) =>
        socket.write(`GET /api/task/${name} HTTP/1.1\r\nhost: x\r\n\r\n`)
      ask('before')
      await begun.promise
      const closed = server[Symbol.asyncDispose]()
      ask('after')
      // answered on a connection of its own, once the server has read what came before it
      const other = await fetch(`${server.url}/api/nothing`)
      expect(other.headers.get('connection')).toBe('close')
      finish.resolve()
      const text = Buffer.concat(await socket.toArray()).toString()
      expect(text.match(/^HTTP|^connection: close|whole$/gim)).toEqual([
        'HTTP',
        'Connection: close',
        'whole',
      ])
      expect(served).toEqual(['before'])
      await closed
    },
  )

  test('sends an answer to its end to a client that reads slowly', { tags: 'large' }, async () => {
    const app = createApp(log)
    const bytes = 32 * 1024 * 1024
    app.get('/api/much', (context) => context.body(new Uint8Array(bytes)))
    const server = await start(app)
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET /api/much HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve))
    const closed = server[Symbol.asyncDispose]()
    const received = Buffer.concat(await socket.toArray())
    expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(bytes)
    await closed
  })

  test('says that it is not ready before it closes', { tags: 'large' }, async () => {
    const app = createApp(log)
    bindHealth(app, async () => [])
    const server = await start(app, 2)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const closed = server[Symbol.asyncDispose]()
    const draining = await fetch(`${server.url}/readyz`)
    expect(draining.status).toBe(503)
    expect(await draining.json()).toEqual({ ready: false, failed: ['draining'] })
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    await closed
  })
})

describe('readiness', () => {
  test.each([
    ['names what failed', async () => ['schema'], ['schema']],
    [
      'is not shown the reason of a check that throws',
      () => Promise.reject(new Error('secret')),
      ['check'],
    ],
    ['does not wait for ever', () => new Promise<string[]>(() => {}), ['time']],
  ])('%s', { tags: 'large' }, async (_what, checkReady, failed) => {
    const app = createApp(log)
    bindHealth(app, checkReady)
    const answer = await app.request('/readyz', {}, {})
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ ready: false, failed })
  })
})

describe('an app that was ready and whose check is late', () => {
  /** The first check passes, and the next one begins and does not end. */
  async function lateApp(mayBeLateMs?: number) {
    const begun: (() => void)[] = []
    const checkReady = () => {
      const { promise, resolve } = Promise.withResolvers<string[]>()
      begun.push(() => resolve(['database']))
      return begun.length === 1 ? Promise.resolve([]) : promise
    }
    const app = createApp(log)
    bindHealth(app, checkReady, mayBeLateMs)
    const ask = async () => (await app.request('/readyz', {}, {})).status
    expect(await ask()).toBe(200)
    return { ask, begun }
  }

  test('is ready for a while', async () => {
    const { ask } = await lateApp()
    expect(await ask()).toBe(200)
  })

  test('is not ready after it', async () => {
    const { ask } = await lateApp(0)
    expect(await ask()).toBe(503)
  })

  test('is not checked once more meanwhile, and goes by what the check says', async () => {
    const { ask, begun } = await lateApp()
    const asking = [ask(), ask(), ask()]
    expect(begun).toHaveLength(2)
    begun[1]?.()
    expect(await Promise.all(asking)).toEqual([503, 503, 503])
  })
})

describe('server-sent events', () => {
  test('carry id, event and one line of JSON, and comments between', async () => {
    const server = await start(appWithFeed())
    const response = await fetch(`${server.url}/api/feed`)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      if (text.split(':\n\n').length > 3) break
    }
    expect(text).toContain('id: 1.1\nevent: change\ndata: {"text":"two\\nlines"}\n\n')
    await server[Symbol.asyncDispose]()
  })

  test('end at their source when the reader has gone', async () => {
    const ended = Promise.withResolvers<string>()
    const server = await start(appWithFeed(() => ended.resolve('ended')))
    const reader = new AbortController()
    await fetch(`${server.url}/api/feed`, { signal: reader.signal })
    reader.abort()
    expect(await ended.promise).toBe('ended')
    await server[Symbol.asyncDispose]()
  })

  test('say by an event that their source has failed', async () => {
    // oxlint-disable-next-line require-yield -- failing is all it does
    async function* failing(): AsyncGenerator<ServerSentEvent> {
      throw new Error('no such mission')
    }
    const response = eventStream(failing(), { describeError: () => ({ error: 'refused' }) })
    expect(await response.text()).toContain('event: error\ndata: {"error":"refused"}\n\n')
  })

  test('ask nothing of their source for whoever wants the head alone', async () => {
    let asked = 0
    // oxlint-disable-next-line require-yield -- being asked is all it does
    async function* asking(): AsyncGenerator<ServerSentEvent> {
      asked += 1
    }
    const app = createApp(log)
    app.get('/api/feed', () => eventStream(asking(), { describeError: String }))
    const server = await start(app)
    const head = await fetch(`${server.url}/api/feed`, { method: 'HEAD' })
    expect(head.headers.get('content-type')).toContain('text/event-stream')
    await head.text()
    expect(asked).toBe(0)
    await (await fetch(`${server.url}/api/feed`)).text()
    expect(asked).toBe(1)
    await server[Symbol.asyncDispose]()
  })
})
