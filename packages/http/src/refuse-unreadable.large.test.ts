import { once } from 'node:events'
import { maxHeaderSize } from 'node:http'
import { type Socket, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ErrorBody } from '@svc/contracts/errors'
import { createLog } from '@svc/process/log'
import { expect, test as base } from 'vitest'
import { createApp } from './create-app.ts'
import { serve } from './serve.ts'
import { eventStream } from './server-sent-events.ts'

const log = createLog({ name: 'test', level: 'silent' })

async function* oneEvent() {
  yield { event: 'change', data: 'first' }
  await new Promise(() => {})
}

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('socket', async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const app = createApp(log)
  app.get('/feed', () => eventStream(oneEvent(), { describeError: String }))
  app.post('/', async (context) => context.text(await context.req.text()))
  const { port } = opened.use(
    await serve({ app, host: '127.0.0.1', port: 0, drainSeconds: 0, log }),
  )
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  opened.defer(() => void socket.destroy())
  socket.on('error', () => {}) // its `close` says so, too
  return socket
})

async function readRefusal(socket: Socket) {
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line, ...headers] = head.split('\r\n')
  const { error } = ErrorBody.parse(JSON.parse(body))
  expect(headers).toContain('connection: close')
  expect(headers).toContain(`x-request-id: ${error.requestId}`)
  return { line, ...error }
}

const post = 'POST / HTTP/1.1\r\nhost: x\r\n'
const long = 'x'.repeat(maxHeaderSize + 1)

test.for([
  ['long headers', `${post}a: ${long}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ['a long address', `GET /${long} HTTP/1.1\r\n`, '431 Request Header Fields Too Large'],
  ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  ['a body in no chunks', `${post}transfer-encoding: chunked\r\n\r\nhello\r\n`, '400 Bad Request'],
  [
    'long extensions of chunks',
    `${post}transfer-encoding: chunked\r\n\r\n1;${long}`,
    '413 Payload Too Large',
  ],
])(
  'who sends %s is told so in the shape of every refusal',
  async ([, sent = '', status], { socket }) => {
    socket.write(sent)
    expect(await readRefusal(socket)).toMatchObject({ line: `HTTP/1.1 ${status}` })
  },
)

test('who asks for the head alone is told no more', async ({ socket }) => {
  socket.write(`HEAD / HTTP/1.1\r\nhost: x\r\na: ${long}\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 431 [^]*\r\n\r\n$/)
})

test('who is refused by the headers can send the body to its end, and reads why', async ({
  socket,
}) => {
  socket.write(`${post}content-length: 1000000\r\na: ${long}\r\n\r\n`)
  // the answer has come whole, and the server has nothing more to say
  expect(await readRefusal(socket)).toMatchObject({ code: 'headers_too_large' })
  const part = Buffer.alloc(100_000)
  for (let sent = 0; sent < 10; sent += 1) {
    await new Promise((resolve, reject) => {
      socket.write(part, (error) => (error ? reject(error) : resolve(undefined)))
    })
  }
  socket.end()
  const [hadError] = await once(socket, 'close')
  expect(hadError).toBe(false)
})

test('who is refused and never ends is left', async ({ socket }) => {
  socket.write('hello\r\n\r\n')
  await readRefusal(socket)
  // that a connection is closed is noticed by writing on it
  const writing = setInterval(() => socket.write('x'), 100)
  const gone = new Promise<string>((resolve) => socket.once('close', () => resolve('gone')))
  expect(await gone.finally(() => clearInterval(writing))).toBe('gone')
})

test('an answer that has begun is broken off without a second one in it', async ({ socket }) => {
  let received = ''
  const begun = Promise.withResolvers<void>()
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
    if (received.includes('first')) begun.resolve()
  })
  socket.write('GET /feed HTTP/1.1\r\nhost: x\r\n\r\n')
  await begun.promise
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.on('end', () => socket.end())
  socket.write('hello\r\n\r\n')
  await gone
  expect(received).toContain('HTTP/1.1 200')
  expect(received).not.toContain('HTTP/1.1 400')
})
