import type { Socket } from 'node:net'
import { verifies } from '@svc/testing/verifies'
import { describe, expect, vi } from 'vitest'
import { test } from './testing/dispatched-world.ts'
import { defaultDispatcherTiming } from './timing.ts'

describe('the schedule', () => {
  test(
    verifies(
      ['error.attempt-timeout', 'limit.attempt-timeout'],
      'begins after an attempt of which no answer came within ten seconds, also when it comes byte by byte',
    ),
    async ({ hooked }) => {
      const { dispatcher, log, publish, receiver, subscribe } = hooked
      const subscription = await subscribe()
      const ways = [
        (socket: Socket) =>
          void setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 6_000),
        (socket: Socket) =>
          void setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 11_000),
        (socket: Socket) => {
          socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
          const drip = setInterval(() => socket.write('x'), 200)
          socket.on('close', () => clearInterval(drip))
        },
      ]
      receiver.answer((_, response) => {
        const { socket } = response
        if (socket) ways.shift()?.(socket)
      })
      await publish(3)
      await dispatcher.drain()
      const entries = await log(subscription)
      expect(entries.map((entry) => entry.tries[0]?.error ?? entry.state).toSorted()).toEqual([
        'delivered',
        'timeout',
        'timeout',
      ])
      for (const entry of entries.filter((one) => one.state === 'pending')) {
        const ended = Date.parse(entry.tries[0]?.endedAt ?? '')
        expect(Math.abs((Date.parse(entry.nextAttemptAt ?? '') - ended) / 1000 - 30)).toBeLessThan(
          5,
        )
      }
    },
  )
})

test(
  verifies(
    'webhook.poll-second',
    'what is in the outbox is found each time that a second has passed',
  ),
  async ({ hooked, signal }) => {
    const { alice, log, publish, startDispatcher, subscribe } = hooked
    const subscription = await subscribe()
    // what it gets is held, so that nothing but the outbox waits for the clock
    await alice.call('disableWebhook', subscription)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await using dispatcher = startDispatcher({ timing: defaultDispatcherTiming })
      for (const count of [1, 2, 3]) {
        await dispatcher.drain()
        // a pass that the loop itself began meanwhile is over, too: from here on it sleeps
        await dispatcher.drain()
        await publish(1)
        await vi.advanceTimersByTimeAsync(1_000)
        // a poll of vitest would let time pass
        while ((await log(subscription)).length < count) signal.throwIfAborted()
      }
    } finally {
      vi.useRealTimers()
    }
  },
)
