import { describe, expect, test } from 'vitest'
import { attempt, meet, ok, once } from './testing/attempt.ts'
import { startReceiver } from './testing/receiver.ts'

describe('a request', () => {
  test('is one POST with the given headers and bytes, and asks for an answer as it is', async () => {
    const { result, receiver } = await meet(
      once((socket) => socket.write(ok('fine', 'X-A: 1\r\nx-a: 2\r\n'))),
    )
    expect(result).toEqual({
      outcome: 'success',
      status: 200,
      headers: [
        ['content-length', '4'],
        ['x-a', '1'],
        ['x-a', '2'],
      ],
      body: Buffer.from('fine'),
      truncated: false,
      timings: expect.objectContaining({ head: expect.any(Number), total: expect.any(Number) }),
      address: '127.0.0.1',
    })
    const [head = '', body] = receiver.connections[0]!.received().split('\r\n\r\n')
    expect(head.split('\r\n').map((line) => line.toLowerCase())).toEqual(
      expect.arrayContaining([
        'post /hook http/1.1',
        `host: 127.0.0.1:${receiver.port}`,
        'accept-encoding: identity',
        'content-length: 10',
        'x-test: é',
      ]),
    )
    expect(body).toBe('{"id":"1"}')
  })

  test.each([
    'Host',
    'connection',
    'content-length',
    'transfer-encoding',
    'Accept-Encoding',
    'upgrade',
    'expect',
  ])('does not take the header %s, which belongs to the connection', async (name) => {
    const sending = attempt('http://127.0.0.1:9000/', { headers: { [name]: 'x' } })
    await expect(sending).rejects.toThrow(`The header ${name} belongs to the connection`)
  })

  test.each([
    ['a line break in a value', { 'x-a': 'b\r\nx-c: d' }],
    ['a NUL in a value', { 'x-a': 'b\0' }],
    ['a space in a name', { 'x a': 'b' }],
    ['a character beyond latin-1', { 'x-a': '\u2028' }],
  ])('with %s is not sent', async (_, headers) => {
    await using receiver = await startReceiver(once((socket) => socket.write(ok(''))))
    const sending = attempt(`http://127.0.0.1:${receiver.port}/`, { headers })
    await expect(sending).rejects.toThrow('invalid')
    expect(receiver.connections.map(({ received }) => received())).toEqual([])
  })
})

describe('a status', () => {
  test.each([200, 201, 202, 204, 205, 206, 226, 299])('of %d is success', async (status) => {
    const { result } = await meet(
      once((socket) => socket.end(`HTTP/1.1 ${status} x\r\nConnection: close\r\n\r\n`)),
    )
    expect(result).toMatchObject({ outcome: 'success', status })
    expect(result).not.toHaveProperty('phase')
  })

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])(
    'of %d is a failure of that name',
    async (status) => {
      const { result } = await meet(
        once((socket) => socket.end(`HTTP/1.1 ${status} x\r\nConnection: close\r\n\r\nwhy`)),
      )
      expect(result).toMatchObject({ outcome: `http_${status}`, status })
    },
  )

  test.each([301, 302, 303, 307, 308])('of %d is not followed', async (status) => {
    await using target = await startReceiver(once((socket) => socket.write(ok(''))))
    const { result, receiver } = await meet(
      once((socket) =>
        socket.end(
          `HTTP/1.1 ${status} x\r\nLocation: http://127.0.0.1:${target.port}/\r\nContent-Length: 0\r\n\r\n`,
        ),
      ),
    )
    expect(result).toMatchObject({ outcome: `http_${status}`, status })
    expect([receiver.connections.length, target.connections.length]).toEqual([1, 0])
  })

  test.each<[string, string, string]>([
    [
      '101 with an upgrade',
      'HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
      'http_101',
    ],
    ['100 alone', 'HTTP/1.1 100 Continue\r\n\r\n', 'http_100'],
    ['103 alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'http_103'],
  ])('of %s is a failure of that name', async (_, head, outcome) => {
    const { result } = await meet(once((socket) => socket.end(head)))
    expect(result.outcome).toBe(outcome)
  })

  test('after early hints is the one that counts', async () => {
    const { result } = await meet(
      once((socket) =>
        socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 x\r\nLink: <a>\r\n\r\n'), ok('')])),
      ),
    )
    expect(result).toMatchObject({
      outcome: 'success',
      status: 200,
      headers: [['content-length', '0']],
    })
  })
})

describe('what is kept of an answer', () => {
  test.each([
    [16_383, false],
    [16_384, false],
    [16_385, true],
  ])('of %d bytes is cut: %s', async (size, truncated) => {
    const { result } = await meet(once((socket) => socket.write(ok('x'.repeat(size)))))
    expect([result.body.length, result.truncated]).toEqual([Math.min(size, 16_384), truncated])
  })

  test('is 4 KiB of headers, without cookies', async () => {
    const { result } = await meet(
      once((socket) =>
        socket.write(ok('', `Set-Cookie: a=b\r\n${`X-A: ${'b'.repeat(997)}\r\n`.repeat(5)}`)),
      ),
    )
    expect(result.headers.map(([name, value]) => [name, value.length])).toEqual([
      ['content-length', 1],
      ['set-cookie', 10],
      ['x-a', 997],
      ['x-a', 997],
      ['x-a', 997],
      ['x-a', 997],
    ])
    expect(JSON.stringify(result.headers)).not.toContain('a=b')
    expect(result.truncated).toBe(true)
  })

  test('is bytes, be they text or not', async () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 0x80])
    const { result } = await meet(once((socket) => socket.write(ok(bytes))))
    expect(result.body.equals(bytes)).toBe(true)
  })
})
