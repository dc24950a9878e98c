import { expect, test } from 'vitest'
import type { SendResult } from '../send.ts'
import { drip, flood, meet, once } from './attempt.ts'
import type { Serve } from './receiver.ts'

const head = 'HTTP/1.1 200 OK\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const large = Buffer.alloc(65_536, 'x')

export const hostile: [string, Serve, Partial<SendResult>][] = [
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
  ['resets before its head', once((s) => s.resetAndDestroy()), { outcome: 'reset', phase: 'head' }],
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
]

export function isMet(rows: readonly [string, Serve, Partial<SendResult>][]): void {
  test.each(rows)('%s', async (title, serve, expected) => {
    const waits =
      expected.outcome === 'timeout' || title.includes('drips') || title.includes('trailers')
    const { result, receiver } = await meet(serve, waits ? 3000 : 5000)
    expect(result).toMatchObject(expected)
    expect(result.body.length).toBeLessThanOrEqual(16_384)
    expect(receiver.connections).toHaveLength(1)
    await expect.poll(() => receiver.open()).toBe(0)
  })
}

/** One of each outcome. */
export function isFirstOfItsKind([, , { outcome }]: (typeof hostile)[number], at: number): boolean {
  return hostile.findIndex(([, , other]) => other.outcome === outcome) === at
}
