import { type Hooked, test } from '../../testing/hooked-world.ts'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { queues } from '../../jobs/jobs.ts'
import type { OutboundResult } from '../../outbound.ts'
import { fanOutDue } from './fan-out.ts'
import { claimAttempts } from './load.ts'
import { defaultTiming } from './retry-schedule.ts'
import { settle } from './settle.ts'

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
  const loaded = await claimAttempts(domain, { limit: 10 })
  const sent = loaded.flatMap((one) => (one.todo === 'send' ? [one.attempt] : []))
  const [attempt] = sent
  if (attempt === undefined || sent.length > 1) throw new Error(`${sent.length} attempts are due`)
  return attempt
}

async function fanOut({ domain }: Hooked): Promise<void> {
  while ((await fanOutDue(domain, defaultTiming)) > 0) continue
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

  test('two that end together are one that counts and one that came too late', async ({
    hooked,
  }) => {
    const { domain, log, subscribe } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    const late = await claimOne(hooked)
    await lapse(hooked)
    const live = await claimOne(hooked)
    await settle(
      domain,
      [
        { did: 'send', attempt: late, result: answered(200) },
        { did: 'send', attempt: live, result: answered(500) },
      ],
      defaultTiming,
    )
    expect(await log(subscription)).toMatchObject([
      { state: 'pending', attempts: 1, tries: [{ status: 200 }, { status: 500 }] },
    ])
    const outcomes = (await log(subscription))[0]?.tries.map((one) => one.outcome)
    expect(outcomes).toEqual(['superseded', 'failed'])
  })

  test('one that left no trace is noted as unknown', async ({ hooked }) => {
    const { deliverDue, log, subscribe } = hooked
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    await claimOne(hooked)
    await lapse(hooked)
    await deliverDue()
    expect(await log(subscription)).toMatchObject([
      {
        state: 'delivered',
        attempts: 1,
        tries: [{ outcome: 'unknown_outcome' }, { outcome: 'delivered' }],
      },
    ])
  })

  test('five that left no trace end in a held delivery', async ({ hooked }) => {
    const { deliverDue, domain, log, receiver, subscribe } = hooked
    const loud = { ...domain.log, error: () => undefined }
    Object.assign(domain, { log: loud })
    const subscription = await subscribe()
    await hooked.publish(1)
    await fanOut(hooked)
    for (let claims = 0; claims < 5; claims += 1) {
      await claimOne(hooked)
      await lapse(hooked)
    }
    await deliverDue()
    expect(receiver.posts).toEqual([])
    expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 0 }])
  })
})

describe('what was pending', () => {
  test('is held when it comes due after its subscription was disabled', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await deliverDue()
    await alice.call('disableWebhook', subscription)
    await world.advance(31)
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
    expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 1 }])
  })

  test('goes on by its schedule when the subscription was enabled again before', async ({
    hooked,
  }) => {
    const { alice, deliverDue, log, nextAttempt, receiver, subscribe } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await deliverDue()
    await alice.call('disableWebhook', subscription)
    await alice.call('enableWebhook', subscription)
    receiver.answer(200)
    await nextAttempt(subscription)
    expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('is canceled when it comes due after its subscription was deleted', async ({ hooked }) => {
    const { alice, deliverDue, domain, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await deliverDue()
    await alice.call('deleteWebhook', subscription)
    await world.advance(31)
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
    const rows = await domain.db
      .selectFrom('webhook_deliveries')
      .select('state')
      .where('subscription_id', '=', subscription.id)
      .execute()
    expect(rows).toEqual([{ state: 'canceled' }])
  })
})
