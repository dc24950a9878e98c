import { describe, expect, onTestFinished, test } from 'vitest'
import { closeAgent } from './guarded-agent.ts'
import { createPolicy } from './policy.ts'
import { attempt, ok, once } from './testing/attempt.ts'
import { hostile, isFirstOfItsKind, isMet } from './testing/hostile-receivers.ts'
import { startReceiver } from './testing/receiver.ts'

describe('a receiver that', () => {
  isMet(hostile.filter((one, at) => !isFirstOfItsKind(one, at)))

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
})
