import { describe, expect, test } from 'vitest'
import { channels, createWakeHub } from './wake-hub.ts'

const never = 2 ** 30
const hub = () => createWakeHub(null, { warn: () => undefined, error: () => undefined })

describe('a wait', () => {
  test('ends with a hint on its channel, of this process or another', async () => {
    await using wake = hub()
    const waits = [wake.wait(channels.changes, never), wake.wait(channels.changes, never)]
    wake.notify(channels.changes)
    await expect(Promise.all(waits)).resolves.toHaveLength(2)
    const other = wake.wait(channels.changes, never)
    wake.heard(channels.changes)
    await other
  })

  test('goes on when the hint is on another channel', async () => {
    await using wake = hub()
    const order: string[] = []
    const outbox = wake.wait(channels.outbox, never).then(() => order.push('outbox'))
    wake.notify(channels.changes)
    await new Promise(setImmediate)
    order.push('told')
    wake.notify(channels.outbox)
    await outbox
    expect(order).toEqual(['told', 'outbox'])
  })

  test('ends by itself when its time is over', async () => {
    await using wake = hub()
    await expect(wake.wait(channels.requests, 1)).resolves.toBeUndefined()
  })

  test('ends when its caller goes, and does not begin after that', async () => {
    await using wake = hub()
    const gone = new AbortController()
    const waiting = wake.wait(channels.requests, never, gone.signal)
    gone.abort()
    await expect(waiting).resolves.toBeUndefined()
    await expect(wake.wait(channels.requests, never, gone.signal)).resolves.toBeUndefined()
  })

  test('ends when the hub closes', async () => {
    const wake = hub()
    const waiting = wake.wait(channels.outbox, never)
    await wake[Symbol.asyncDispose]()
    await expect(waiting).resolves.toBeUndefined()
  })
})

test('a hint says what it is about, and about anything when nothing was named', async () => {
  await using wake = hub()
  const heard: unknown[] = []
  const hearing = wake.listen(channels.requests, (about) => heard.push(about))
  wake.notify(channels.requests, ['one', 'two'])
  wake.heard(channels.requests, 'three four')
  wake.notify(channels.requests)
  wake.heard(channels.requests, '')
  hearing[Symbol.dispose]()
  wake.notify(channels.requests, ['five'])
  expect(heard).toEqual([['one', 'two'], ['three', 'four'], [''], ['']])
})

test('an unknown channel wakes nobody and breaks nothing', async () => {
  await using wake = hub()
  expect(() => wake.heard('svc_other')).not.toThrow()
})
