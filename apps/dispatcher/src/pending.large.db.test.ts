import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { claimAttempts } from '@svc/domain/webhooks/sending/load'
import { withFault } from '@svc/testing/faults'
import { countBlocked } from '@svc/testing/locks'
import { describe, expect } from 'vitest'
import { type Dispatched, test } from './testing/dispatched-world.ts'

/** Without the hint that would wake the dispatcher that runs during the test. */
async function fanOut({ domain }: Dispatched): Promise<void> {
  const quiet = { ...domain, wake: { ...domain.wake, notify: () => undefined } }
  while ((await fanOutDue(quiet, defaultTiming)) > 0) continue
}

describe('what was pending', () => {
  test('is put off by our own fault, and nothing is counted', async ({ hooked }) => {
    const { dispatcher, domain, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    const { secret_ciphertext: sealed } = await domain.db
      .selectFrom('webhook_subscriptions')
      .select('secret_ciphertext')
      .where('id', '=', subscription.id)
      .executeTakeFirstOrThrow()
    const set = (secret_ciphertext: Buffer | null) =>
      domain.db
        .updateTable('webhook_subscriptions')
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

  test('waits for answers and not for their outcomes, of which two batches at most are written at a time', async ({
    hooked,
  }) => {
    const { domain, log, receiver, startDispatcher, subscribe } = hooked
    const subscription = await subscribe()
    await hooked.publish(20)
    await fanOut(hooked)
    await using dispatcher = startDispatcher({ limits: { settleBatch: 2 } })
    const { draining, blocked } = await domain.db.transaction().execute(async (tx) => {
      await tx.selectFrom('webhook_deliveries').select('id').forUpdate().execute()
      const draining = dispatcher.drain()
      await expect.poll(() => receiver.posts).toHaveLength(20)
      return { draining, blocked: await countBlocked(tx) }
    })
    expect(blocked).toBeLessThanOrEqual(2)
    await draining
    const states = (await log(subscription)).map((entry) => entry.state)
    expect(new Set(states)).toEqual(new Set(['delivered']))
  })

  test('is settled while the outcome of another cannot be written', async ({ hooked }) => {
    const { domain, log, receiver, startDispatcher, subscribe } = hooked
    const subscription = await subscribe()
    const states = async () => (await log(subscription)).map((entry) => entry.state)
    receiver.answer(500)
    await hooked.publish(1)
    await fanOut(hooked)
    await using dispatcher = startDispatcher({ timing: { pollMs: 50 } })
    const refused = {
      table: 'webhook_attempts',
      operation: 'insert',
      when: 'new.status = 500',
    } as const
    await withFault(domain.db, refused, async () => {
      await expect.poll(() => receiver.posts).toHaveLength(1)
      receiver.answer(200)
      await hooked.publish(1)
      await fanOut(hooked)
      await expect.poll(states).toEqual(['pending', 'delivered'])
    })
    await dispatcher.drain()
    expect(await states()).toEqual(['pending', 'delivered'])
  })

  test('carries the bytes of its event once for all that are claimed together', async ({
    hooked,
  }) => {
    const { domain, subscribe } = hooked
    await subscribe()
    await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    const claimed = await claimAttempts(domain, { limit: 10 })
    const [one, other] = claimed.flatMap((one) => ('attempt' in one ? [one.attempt.body] : []))
    expect(one).toBeInstanceOf(Buffer)
    expect(other).toBe(one)
  })
})
