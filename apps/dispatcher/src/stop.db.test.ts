import { describe, expect } from 'vitest'
import { test } from './testing/dispatched-world.ts'

describe('a dispatcher that stops', () => {
  test('lets what it sends come to its end, writes it, and begins nothing more', async ({
    hooked,
  }) => {
    const { alice, dispatcher, log, publish, receiver, startDispatcher, subscribe } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    await dispatcher.drain()
    await dispatcher[Symbol.asyncDispose]()
    await alice.call('enableWebhook', subscription)
    const arrived = Promise.withResolvers<() => void>()
    receiver.answer((_, response) => arrived.resolve(() => response.end()))
    const stopping = startDispatcher({ timing: { pollMs: 50 }, limits: { slots: 1 } })
    await publish(3)
    const giveAnswer = await arrived.promise
    const stopped = stopping[Symbol.asyncDispose]()
    giveAnswer()
    await stopped

    expect(receiver.posts).toHaveLength(1)
    const states = (await log(subscription)).map((entry) => entry.state)
    expect(states.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'delivered',
      'pending',
      'pending',
    ])
    receiver.answer(200)
    const next = startDispatcher()
    await next.drain()
    await next[Symbol.asyncDispose]()
    expect(receiver.posts).toHaveLength(3)
    expect((await log(subscription)).map((entry) => entry.tries.length)).toEqual([1, 1, 1])
  })
})
