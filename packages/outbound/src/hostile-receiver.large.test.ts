import { describe, expect, onTestFinished, test } from 'vitest'
import { closeAgent } from './guarded-agent.ts'
import { createPolicy } from './policy.ts'
import { attempt, ok, once, meet } from './testing/attempt.ts'
import { hostile, isMet } from './testing/hostile-receivers.ts'
import { startReceiver } from './testing/receiver.ts'
import { type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

describe('a receiver that', () => {
  isMet(hostile)

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
      Array.from({ length: 20 }, () => attempt(url, { policy, timeoutMs: 5000 })),
    )
    const outcomes = results.map((result) => `${result.outcome} ${result.phase} ${result.address}`)
    expect(outcomes.toSorted()).toEqual([
      ...Array<string>(10).fill('success undefined 127.0.0.1'),
      ...Array<string>(10).fill('timeout head 127.0.0.1'),
    ])
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
    // only the first takes as long as it may
    for (const timeoutMs of [1000, 5000, 5000])
      outcomes.push((await attempt(url, { policy, timeoutMs })).outcome)
    expect(outcomes).toEqual(['timeout', 'reset', 'success'])
  })
})
