import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { describe, expect } from 'vitest'
import { type Dispatched, test } from './testing/dispatched-world.ts'

/** Without the hint that would wake the dispatcher that runs beside the test. */
async function fanOut({ domain }: Dispatched): Promise<void> {
  const quiet = { ...domain, wake: { ...domain.wake, tell: () => undefined } }
  while ((await fanOutDue(quiet, defaultTiming)) > 0) continue
}

describe('what was pending', () => {
  test('is put off by our own fault, and nothing is counted', async ({ hooked }) => {
    const { dispatcher, domain, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    const { secret_ciphertext: sealed } = await domain.db
      .selectFrom('webhook_subscription')
      .select('secret_ciphertext')
      .where('id', '=', subscription.id)
      .executeTakeFirstOrThrow()
    const set = (secret_ciphertext: Buffer | null) =>
      domain.db
        .updateTable('webhook_subscription')
        .set({ secret_ciphertext })
        .where('id', '=', subscription.id)
        .execute()
    await set(Buffer.alloc(80, 1))
    await dispatcher.drain()
    expect(receiver.posts).toEqual([])
    expect(await log(subscription)).toMatchObject([
      { state: 'pending', attempts: 0, tries: [{ outcome: 'not_sent' }] },
    ])
    await set(sealed)
    await world.advance(6)
    await dispatcher.drain()
    expect(await log(subscription)).toMatchObject([
      {
        state: 'delivered',
        attempts: 1,
        tries: [{ outcome: 'not_sent' }, { outcome: 'delivered' }],
      },
    ])
  })

  test('keeps to eight at a time for one subscription, over all dispatchers', async ({
    hooked,
  }) => {
    const { receiver, startDispatcher, subscribe } = hooked
    await subscribe()
    let [open, most] = [0, 0]
    receiver.answer((_, response) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.end()
      }, 20)
    })
    await hooked.publish(60)
    await fanOut(hooked)
    const one = startDispatcher()
    await one.drain()
    await one[Symbol.asyncDispose]()
    expect(receiver.posts).toHaveLength(60)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(8)
  })
})
