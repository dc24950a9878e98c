import { jobId, queues } from '@svc/domain/commit/jobs'
import { claimAttempts, loadAttempts } from '@svc/domain/webhooks/sending/load'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import type { OutboundResult } from '@svc/domain/webhooks/outbound'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { settle } from '@svc/domain/webhooks/sending/settle'
import { sweepDeliveries, sweepEvents, sweepHeld } from '@svc/domain/webhooks/sending/sweeps'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { type Hooked, test } from './testing/hooked-world.ts'

const answered = (status: number): OutboundResult => ({
  outcome: status < 300 ? 'success' : `http_${status}`,
  status,
  timings: { total: 1 },
  headers: [],
  body: Buffer.of(),
  truncated: false,
})

/** What a dispatcher does up to the sending: claims the one due attempt. Of deleted subscriptions nothing is sent. */
async function claimOne({ domain }: Hooked) {
  const loaded = await loadAttempts(domain, await claimAttempts(domain, { limit: 10 }))
  const sent = loaded.flatMap((one) => (one.todo === 'send' ? [one.attempt] : []))
  const [attempt] = sent
  if (attempt === undefined || sent.length > 1) throw new Error(`${sent.length} attempts are due`)
  return attempt
}

/** Without the hint that would wake the dispatcher that runs beside the test. */
async function fanOut({ domain }: Hooked): Promise<void> {
  const quiet = { ...domain, wake: { ...domain.wake, tell: () => undefined } }
  while ((await fanOutDue(quiet, defaultTiming)) > 0) continue
}

/** Lets every lease lapse and takes the claims back. */
async function lapse({ domain, world }: Hooked): Promise<void> {
  // the queue is looked through once a minute
  await world.advance(61)
  await domain.jobs.supervise()
}

describe('of several claims of one attempt', () => {
  test(
    verifies(
      'webhook.at-least-once',
      'the later sends it again, and what the first says then changes nothing',
    ),
    async ({ hooked }) => {
      const { domain, log, subscribe } = hooked
      const subscription = await subscribe()
      await hooked.publish(1)
      await fanOut(hooked)
      const first = await claimOne(hooked)
      await lapse(hooked)
      const second = await claimOne(hooked)
      expect(second).toMatchObject({ deliveryId: first.deliveryId, number: 1, body: first.body })

      await settle(domain, [{ did: 'send', attempt: first, result: answered(200) }], defaultTiming)
      expect(await log(subscription)).toMatchObject([
        { state: 'pending', tries: [{ outcome: 'superseded', status: 200 }] },
      ])
      await settle(domain, [{ did: 'send', attempt: second, result: answered(500) }], defaultTiming)
      await settle(domain, [{ did: 'send', attempt: second, result: answered(200) }], defaultTiming)
      expect(await log(subscription)).toMatchObject([
        {
          state: 'pending',
          attempts: 1,
          tries: [{ outcome: 'superseded' }, { outcome: 'failed' }],
        },
      ])
    },
  )

  test('one that comes back after the next attempt was claimed ends nothing', async ({
    hooked,
  }) => {
    const { domain, log, subscribe, world } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    const paused = await claimOne(hooked)
    await lapse(hooked)
    const second = await claimOne(hooked)
    await settle(domain, [{ did: 'send', attempt: second, result: answered(500) }], defaultTiming)
    await world.advance(31)
    const third = await claimOne(hooked)
    expect(third.number).toBe(2)

    await settle(domain, [{ did: 'send', attempt: paused, result: answered(200) }], defaultTiming)
    expect(await domain.jobs.live(domain.db, queues.webhookDelivery, [third.job.id])).toEqual(
      new Set([third.job.id]),
    )
    await settle(domain, [{ did: 'send', attempt: third, result: answered(200) }], defaultTiming)
    expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    const outcomes = (await log(subscription))[0]?.tries.map((one) => [one.attempt, one.outcome])
    expect(outcomes).toEqual([
      [1, 'failed'],
      [1, 'superseded'],
      [2, 'delivered'],
    ])
  })

  test('one that left no trace is noted as unknown', async ({ hooked }) => {
    const { dispatcher, log, subscribe } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    await claimOne(hooked)
    await lapse(hooked)
    await dispatcher.drain()
    expect(await log(subscription)).toMatchObject([
      {
        state: 'delivered',
        attempts: 1,
        tries: [{ outcome: 'unknown_outcome' }, { outcome: 'delivered' }],
      },
    ])
  })

  test('five that left no trace end in a held delivery', async ({ hooked }) => {
    const { dispatcher, domain, log, receiver, subscribe } = hooked
    const loud = { ...domain.log, error: () => undefined }
    Object.assign(domain, { log: loud })
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    for (let claims = 0; claims < 5; claims += 1) {
      await claimOne(hooked)
      await lapse(hooked)
    }
    await dispatcher.drain()
    expect(receiver.posts).toEqual([])
    expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 0 }])
  })
})

describe('a sweep', () => {
  test('makes the job of an event again that was lost', async ({ hooked }) => {
    const { dispatcher, domain, receiver, subscribe, world } = hooked
    await subscribe()
    await hooked.publish(2)
    const lost = await domain.jobs.fetch(queues.webhookEvent, { limit: 10 })
    await domain.db.transaction().execute((tx) => domain.jobs.finish(tx, queues.webhookEvent, lost))
    await dispatcher.drain()
    expect([receiver.posts.length, await sweepEvents(domain)]).toEqual([0, 0])

    await world.advance(16 * 60)
    expect(await sweepEvents(domain)).toBe(2)
    expect(await sweepEvents(domain)).toBe(0)
    await dispatcher.drain()
    expect(receiver.posts).toHaveLength(2)
  })

  test('makes the job of a delivery again that was lost, under a new id', async ({ hooked }) => {
    const { dispatcher, domain, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await dispatcher.drain()
    await world.advance(31)
    const lost = await claimAttempts(domain, { limit: 10 })
    await domain.db
      .transaction()
      .execute((tx) => domain.jobs.finish(tx, queues.webhookDelivery, lost))
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(0)

    await world.advance(121)
    receiver.answer(200)
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(1)
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(0)
    const [entry] = await log(subscription)
    expect(lost.map((job) => job.id)).toEqual([jobId(entry?.id ?? '', '2')])
    await dispatcher.drain()
    expect(receiver.posts).toHaveLength(2)
    expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('leaves alone what waits for its time or for a free slot', async ({ hooked }) => {
    const { dispatcher, domain, receiver, subscribe, world } = hooked
    await subscribe()
    receiver.answer(500)
    await hooked.publish(3)
    await dispatcher.drain()
    await world.advance(600)
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(0)
  })

  test('gives up what was held for a week', async ({ hooked }) => {
    const { alice, dispatcher, domain, log, subscribe, world } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    await hooked.publish(1)
    await dispatcher.drain()
    await sweepHeld(domain)
    expect(await log(subscription)).toMatchObject([{ state: 'held' }])
    await world.advance(7 * 86_400 + 1)
    await sweepHeld(domain)
    expect(await log(subscription)).toMatchObject([{ state: 'canceled' }])
  })
})

describe('what was pending', () => {
  test('is held when it comes due after its subscription was disabled', async ({ hooked }) => {
    const { alice, dispatcher, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await dispatcher.drain()
    await alice.call('disableWebhook', subscription)
    await world.advance(31)
    await dispatcher.drain()
    expect(receiver.posts).toHaveLength(1)
    expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 1 }])
  })

  test('goes on by its schedule when the subscription was enabled again before', async ({
    hooked,
  }) => {
    const { alice, dispatcher, log, nextAttempt, receiver, subscribe } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await dispatcher.drain()
    await alice.call('disableWebhook', subscription)
    await alice.call('enableWebhook', subscription)
    receiver.answer(200)
    await nextAttempt(subscription)
    expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('is canceled when it comes due after its subscription was deleted', async ({ hooked }) => {
    const { alice, dispatcher, domain, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await dispatcher.drain()
    await alice.call('deleteWebhook', subscription)
    await world.advance(31)
    await dispatcher.drain()
    expect(receiver.posts).toHaveLength(1)
    const rows = await domain.db
      .selectFrom('webhook_delivery')
      .select('state')
      .where('subscription_id', '=', subscription.id)
      .execute()
    expect(rows).toEqual([{ state: 'canceled' }])
  })

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
