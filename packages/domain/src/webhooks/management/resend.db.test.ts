import { type Hooked, test } from '../../testing/hooked-world.ts'
import { verifies } from '@svc/testing/verifies'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { queues } from '../../jobs/jobs.ts'
import { purgeExpired } from '../../sweep/purge-expired.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'
import { sweepDeliveries } from '../sending/sweeps.ts'

/** A subscription with one delivery, whose first attempt was answered with this status. */
async function withOne(hooked: Hooked, status = 200) {
  const { alice, deliverDue, log, publish, receiver, subscribe } = hooked
  const { id } = await subscribe()
  receiver.answer(status)
  await publish(1)
  await deliverDue()
  const [entry] = await log({ id })
  const delivery = { id, deliveryId: entry?.id ?? '' }
  return { delivery, resend: () => alice.call('resendWebhookDelivery', delivery) }
}

/** As above, and used up all its attempts. */
async function withFailed(hooked: Hooked) {
  const one = await withOne(hooked, 500)
  for (let attempt = 2; attempt <= 7; attempt += 1) await hooked.nextAttempt(one.delivery)
  return one
}

const failuresOf = async ({ alice }: Hooked, webhook: { id: string }) =>
  (await alice.call('getWebhook', webhook)).webhook.consecutiveFailures

describe('a resend', () => {
  test(
    verifies(
      'webhook.header-delivery',
      'posts the same bytes under the same id, so that a consumer knows the duplicate',
    ),
    async ({ hooked }) => {
      const { deliverDue, log, receiver } = hooked
      const { delivery, resend } = await withOne(hooked)
      expect(await resend()).toMatchObject({ delivery: { state: 'pending' } })
      await deliverDue()
      const [sent, again] = receiver.posts
      expect(receiver.posts).toHaveLength(2)
      expect(again?.raw).toEqual(sent?.raw)
      expect(again?.headers['x-svc-delivery']).toBe(delivery.deliveryId)
      const { body } = await hooked.alice.call('getWebhookDelivery', delivery)
      expect(body).toBe(sent?.raw.toString())
      expect(await log(delivery)).toMatchObject([
        { state: 'delivered', tries: [{ trigger: 'schedule' }, { trigger: 'resend' }] },
      ])
    },
  )

  test('that fails leaves a delivered one delivered, and is not tried again', async ({
    hooked,
  }) => {
    const { deliverDue, log, receiver, world } = hooked
    const { delivery, resend } = await withOne(hooked)
    receiver.answer(500)
    await resend()
    await deliverDue()
    await world.advance(2 * 86_400)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
    expect(await log(delivery)).toMatchObject([
      { state: 'delivered', attempts: 1, tries: [{}, { trigger: 'resend', outcome: 'failed' }] },
    ])
    expect(await failuresOf(hooked, delivery)).toBe(0)
  })

  test('counts nowhere when it fails, and ends a run of failures when it arrives', async ({
    hooked,
  }) => {
    const { deliverDue, log, receiver } = hooked
    const { delivery, resend } = await withFailed(hooked)
    await resend()
    await deliverDue()
    expect(await log(delivery)).toMatchObject([{ state: 'failed', attempts: 7 }])
    expect(await failuresOf(hooked, delivery)).toBe(1)
    receiver.answer(200)
    await resend()
    await deliverDue()
    expect(await log(delivery)).toMatchObject([{ state: 'delivered' }])
    expect(await failuresOf(hooked, delivery)).toBe(0)
  })

  test('of a held one that fails leaves it to the recovery, with all its attempts', async ({
    hooked,
  }) => {
    const { alice, deliverDue, log, publish, receiver, subscribe } = hooked
    const webhook = await subscribe()
    await alice.call('disableWebhook', webhook)
    await publish(1)
    await deliverDue()
    await alice.call('enableWebhook', webhook)
    const [entry] = await log(webhook)
    receiver.answer(500)
    await alice.call('resendWebhookDelivery', { id: webhook.id, deliveryId: entry?.id ?? '' })
    await deliverDue()
    expect(await log(webhook)).toMatchObject([{ state: 'held', attempts: 0 }])
    expect(await alice.call('recoverWebhook', { id: webhook.id })).toMatchObject({
      recovered: 1,
      held: 0,
    })
    await deliverDue()
    expect(await log(webhook)).toMatchObject([{ state: 'pending', attempts: 1 }])
  })

  test('of one that waits for its retry is that retry, made now, and its schedule goes on from there', async ({
    hooked,
  }) => {
    const { deliverDue, log, receiver } = hooked
    const { delivery, resend } = await withOne(hooked, 500)
    const asked = await Promise.allSettled(Array.from({ length: 6 }, resend))
    expect(asked.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
    expect(await log(delivery)).toMatchObject([
      { state: 'pending', attempts: 2, tries: [{ trigger: 'schedule' }, { trigger: 'schedule' }] },
    ])
    // what had been due at first is not made in addition
    for (let attempt = 3; attempt <= 7; attempt += 1) await hooked.nextAttempt(delivery)
    expect(receiver.posts).toHaveLength(7)
    expect(await log(delivery)).toMatchObject([{ state: 'failed', attempts: 7 }])
    expect(await failuresOf(hooked, delivery)).toBe(1)
  })

  test('that was not begun when its webhook was disabled is not made', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver } = hooked
    const { delivery, resend } = await withOne(hooked)
    await resend()
    await alice.call('disableWebhook', delivery)
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
    expect(await log(delivery)).toMatchObject([{ state: 'delivered' }])
  })

  test('whose bytes are purged before it is begun is not made', async ({ hooked }) => {
    const { deliverDue, domain, log, receiver } = hooked
    const { delivery, resend } = await withOne(hooked)
    await resend()
    await domain.db.deleteFrom('webhook_bodies').execute()
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
    expect(await log(delivery)).toMatchObject([{ state: 'delivered' }])
  })

  test('whose job was lost is made all the same, once', async ({ hooked }) => {
    const { deliverDue, domain, log, receiver, world } = hooked
    const { delivery, resend } = await withOne(hooked)
    await resend()
    const lost = await domain.jobs.fetch(queues.webhookDelivery, { limit: 10 })
    await domain.db
      .transaction()
      .execute((tx) => domain.jobs.finish(tx, queues.webhookDelivery, lost))
    await world.advance(121)
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(1)
    receiver.answer(500)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
    expect(await log(delivery)).toMatchObject([{ state: 'delivered' }])
  })

  test('asked for by several at the same time is one', async ({ hooked }) => {
    const { deliverDue, receiver } = hooked
    const { resend } = await withOne(hooked)
    const asked = await Promise.allSettled(Array.from({ length: 6 }, resend))
    expect(asked.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
  })
})

describe('a resend is refused', () => {
  test('while the delivery is being sent', async ({ hooked }) => {
    const { delivery, resend } = await withOne(hooked, 500)
    await resend()
    await expect(resend()).rejects.toMatchObject({
      code: 'invalid_transition',
      next: { operation: 'listWebhookDeliveries', params: { id: delivery.id } },
    })
  })

  test('while the webhook is disabled, and when it is deleted', async ({ hooked }) => {
    const { alice } = hooked
    const { delivery, resend } = await withOne(hooked)
    await alice.call('disableWebhook', delivery)
    await expect(resend()).rejects.toMatchObject({
      code: 'invalid_transition',
      next: { operation: 'enableWebhook', params: { id: delivery.id } },
    })
    await alice.call('deleteWebhook', delivery)
    await expect(resend()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('once its bytes are purged', async ({ hooked }) => {
    const { domain, world } = hooked
    const { resend } = await withOne(hooked)
    await world.advance(40 * 86_400)
    await purgeExpired(domain, 'by the dispatcher')
    await expect(resend()).rejects.toMatchObject({ code: 'body_expired' })
  })

  test('of a test delivery, and of one of another webhook', async ({ hooked }) => {
    const { alice, subscribe } = hooked
    const { delivery } = await withOne(hooked)
    const ping = await alice.call('testWebhook', delivery)
    await expect(
      alice.call('resendWebhookDelivery', { id: delivery.id, deliveryId: ping.delivery.id }),
    ).rejects.toMatchObject({ next: { operation: 'testWebhook' } })
    const { id } = await subscribe()
    await expect(alice.call('resendWebhookDelivery', { ...delivery, id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('that is one of hundreds leaves the newest attempts told with their answers, and the others without', async ({
    hooked,
  }) => {
    const { alice, domain } = hooked
    const { delivery } = await withOne(hooked)
    const answer = 'x'.repeat(16_384)
    await sql`
      insert into webhook_attempts (workspace_id, delivery_id, job_id, claim, attempt, trigger, outcome,
                                   response_body)
      select workspace_id, delivery_id, job_id, n, 1 + n, 'resend', 'failed', ${answer}
        from webhook_attempts, generate_series(1, 200) n
       where delivery_id = ${delivery.deliveryId}`.execute(domain.db)
    const { attempts } = await alice.call('getWebhookDelivery', delivery)
    expect(attempts.map((one) => one.attempt)).toEqual(Array.from({ length: 201 }, (_, n) => 1 + n))
    const lengths = attempts
      .slice(1)
      .map((one) => [one.responseBody?.length, one.responseTruncated])
    expect(lengths.slice(-60)).toEqual(Array(60).fill([16_384, false]))
    expect(lengths.slice(0, 100)).toEqual(Array(100).fill([undefined, true]))
  })
})
