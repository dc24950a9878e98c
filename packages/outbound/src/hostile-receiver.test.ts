import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeAgent } from './guarded-agent.ts'
import { createPolicy } from './policy.ts'
import type { SendResult } from './send.ts'
import { attempt, drip, flood, meet, ok, once } from './testing/attempt.ts'
import { type Serve, startReceiver } from './testing/receiver.ts'

describe('a receiver that', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
  const large = Buffer.alloc(65_536, 'x')

  test.each<[string, Serve, Partial<SendResult>]>([
    ['accepts and never answers', () => undefined, { outcome: 'timeout', phase: 'head' }],
    ['drips its head', drip(head, 'X-A: b\r\n', 20), { outcome: 'timeout', phase: 'head' }],
    [
      'drips one header without end',
      drip(`${head}X-A: `, 'b', 20),
      { outcome: 'timeout', phase: 'head' },
    ],
    [
      'sends early hints without end',
      drip('', 'HTTP/1.1 103 x\r\n\r\n', 5),
      { outcome: 'timeout', phase: 'head' },
    ],
    [
      'floods early hints',
      flood('', Buffer.from('HTTP/1.1 103 x\r\n\r\n'.repeat(50))),
      { outcome: 'timeout', phase: 'head' },
    ],
    [
      'resets before its head',
      once((s) => s.resetAndDestroy()),
      { outcome: 'reset', phase: 'head' },
    ],
    [
      'resets within its head',
      once((s) => s.write(head, () => s.resetAndDestroy())),
      { outcome: 'reset', phase: 'head' },
    ],
    ['closes without an answer', once((s) => s.end()), { outcome: 'reset', phase: 'head' }],
    [
      'speaks another protocol',
      once((s) => s.end('220 mail.example ESMTP\r\n')),
      { outcome: 'protocol', phase: 'head' },
    ],
    [
      'speaks HTTP/2 at once',
      once((s) => s.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))),
      { outcome: 'protocol', phase: 'head' },
    ],
    [
      'sends 10,000 headers',
      once((s) => s.write(`${head}${'X-A: b\r\n'.repeat(10_000)}\r\n`)),
      { outcome: 'protocol', phase: 'head' },
    ],
    [
      'sends one header of 64 KiB',
      once((s) => s.write(`${head}X-A: ${'b'.repeat(65_536)}\r\n\r\n`)),
      { outcome: 'protocol', phase: 'head' },
    ],
    [
      'names two lengths',
      once((s) => s.write(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`)),
      { outcome: 'protocol', phase: 'head' },
    ],
    [
      'drips its body',
      drip(`${head}Content-Length: 10000\r\n\r\n`, 'b', 20),
      { outcome: 'success', truncated: true },
    ],
    [
      'drips the body of an error',
      drip('HTTP/1.1 500 x\r\nContent-Length: 10000\r\n\r\n', 'b', 20),
      { outcome: 'http_500', truncated: true },
    ],
    [
      'sends a body without end',
      flood(`${head}\r\n`, large),
      { outcome: 'success', truncated: true },
    ],
    [
      'sends chunks without end',
      flood(chunked, Buffer.from('1000\r\n'.concat('x'.repeat(4096), '\r\n'))),
      { outcome: 'success', truncated: true },
    ],
    [
      'sends trailers without end',
      drip(`${chunked}0\r\n`, 'X-A: b\r\n', 20),
      { outcome: 'success', truncated: true },
    ],
    [
      'resets within the body of a success',
      once((s) =>
        s.write(`${head}Content-Length: 9\r\n\r\nabc`, () =>
          setTimeout(() => s.resetAndDestroy(), 50),
        ),
      ),
      { outcome: 'success', truncated: true, body: Buffer.from('abc') },
    ],
    [
      'closes within the body of a success',
      once((s) => s.end(`${head}Content-Length: 9\r\n\r\nabc`)),
      { outcome: 'success', truncated: true, body: Buffer.from('abc') },
    ],
    [
      'breaks its chunks after a success',
      once((s) => s.write(`${chunked}zz\r\n`)),
      { outcome: 'success', truncated: true },
    ],
  ])('%s', async (title, serve, expected) => {
    const waits =
      expected.outcome === 'timeout' || title.includes('drips') || title.includes('trailers')
    const { result, receiver } = await meet(serve, waits ? 800 : 5000)
    expect(result).toMatchObject(expected)
    expect(result.body.length).toBeLessThanOrEqual(16_384)
    expect(receiver.connections).toHaveLength(1)
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('sends a gzip bomb: its first bytes are kept as they came', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    const { result } = await meet(
      once((socket) => socket.write(ok(bomb, 'Content-Encoding: gzip\r\n'))),
    )
    expect(result).toMatchObject({ outcome: 'success', truncated: true })
    expect(result.body.equals(bomb.subarray(0, 16_384))).toBe(true)
  })

  test('answers before it has read the request', async () => {
    await using receiver = await startReceiver(once((socket) => socket.pause().write(ok('early'))))
    const url = `http://127.0.0.1:${receiver.port}/`
    const result = await attempt(url, { body: Buffer.alloc(4 * 1024 * 1024, 'x') })
    expect(result).toMatchObject({ outcome: 'success', body: Buffer.from('early') })
    expect(receiver.connections[0]!.received().length).toBeLessThan(1024 * 1024)
  })

  test('is not there', async () => {
    const receiver = await startReceiver(() => undefined)
    await receiver[Symbol.asyncDispose]()
    expect(await attempt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      outcome: 'refused',
      phase: 'connect',
    })
  })

  test('has failed leaves its policy able to send', async () => {
    const policy = createPolicy({ allowedHosts: '127.0.0.1' })
    onTestFinished(() => closeAgent(policy))
    const turns: ((socket: Socket) => void)[] = [
      () => undefined,
      (s) => s.resetAndDestroy(),
      (s) => s.write(ok('')),
    ]
    await using receiver = await startReceiver(once((socket) => turns.shift()?.(socket)))
    const url = `http://127.0.0.1:${receiver.port}/`
    const outcomes: string[] = []
    for (let turn = 0; turn < 3; turn += 1)
      outcomes.push((await attempt(url, { policy, timeoutMs: 1000 })).outcome)
    expect(outcomes).toEqual(['timeout', 'reset', 'success'])
  })

  test('is slow keeps its marks to itself', async () => {
    const policy = createPolicy({ allowedHosts: '127.0.0.1' })
    onTestFinished(() => closeAgent(policy))
    let count = 0
    await using receiver = await startReceiver(
      once((socket) => {
        count += 1
        if (count % 2 === 0) socket.write(ok(''))
      }),
    )
    const url = `http://127.0.0.1:${receiver.port}/`
    const results = await Promise.all(
      Array.from({ length: 20 }, () => attempt(url, { policy, timeoutMs: 1500 })),
    )
    const outcomes = results.map((result) => `${result.outcome} ${result.phase} ${result.address}`)
    expect(outcomes.toSorted()).toEqual([
      ...Array<string>(10).fill('success undefined 127.0.0.1'),
      ...Array<string>(10).fill('timeout head 127.0.0.1'),
    ])
  })
})
