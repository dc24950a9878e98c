import { test } from '../../testing/hooked-world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { jobId, queues } from '../../jobs/jobs.ts'
import { defaultTiming } from './retry-schedule.ts'
import { sweepDeliveries, sweepEvents, sweepHeld } from './sweeps.ts'

describe('a sweep', () => {
  test('makes the job of an event again that was lost', async ({ hooked }) => {
    const { deliverDue, domain, receiver, subscribe, world } = hooked
    await subscribe()
    await hooked.publish(2)
    const lost = await domain.jobs.fetch(queues.webhookEvent, { limit: 10 })
    await domain.db.transaction().execute((tx) => domain.jobs.finish(tx, queues.webhookEvent, lost))
    await deliverDue()
    expect([receiver.posts.length, await sweepEvents(domain)]).toEqual([0, 0])

    await world.advance(16 * 60)
    expect(await sweepEvents(domain)).toBe(2)
    expect(await sweepEvents(domain)).toBe(0)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
  })

  test('makes the job of a delivery again that was lost, under a new id', async ({ hooked }) => {
    const { deliverDue, domain, log, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await deliverDue()
    await world.advance(31)
    const lost = await domain.jobs.fetch(queues.webhookDelivery, { limit: 10 })
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
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
    expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('leaves alone what waits for its time or for a free slot', async ({ hooked }) => {
    const { deliverDue, domain, receiver, subscribe, world } = hooked
    await subscribe()
    receiver.answer(500)
    await hooked.publish(3)
    await deliverDue()
    await world.advance(600)
    expect(await sweepDeliveries(domain, defaultTiming)).toBe(0)
  })

  test('gives up what was held for a week', async ({ hooked }) => {
    const { alice, deliverDue, domain, log, subscribe, world } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    await hooked.publish(1)
    await deliverDue()
    await sweepHeld(domain)
    expect(await log(subscription)).toMatchObject([{ state: 'held' }])
    await world.advance(7 * 86_400 + 1)
    await sweepHeld(domain)
    expect(await log(subscription)).toMatchObject([{ state: 'canceled' }])
  })

  test('gives up all that was held for a week, however much it is', async ({ hooked }) => {
    const { alice, deliverDue, domain, subscribe, world } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    await hooked.publish(1)
    await deliverDue()
    const copy = sql`jsonb_build_object('id', lpad(to_hex(n), 32, '0'), 'event_id', gen_random_uuid())`
    await sql`
      insert into webhook_deliveries
      select (jsonb_populate_record(d, ${copy})).* from webhook_deliveries d, generate_series(1, 500) n
       where subscription_id = ${subscription.id}`.execute(domain.db)
    await world.advance(7 * 86_400 + 1)
    expect(await sweepHeld(domain)).toBe(501)
    expect(await sweepHeld(domain)).toBe(0)
  })

  test('gives up at once what is held for a subscription that is gone', async ({ hooked }) => {
    const { alice, deliverDue, domain, subscribe } = hooked
    const [gone, kept] = [await subscribe(), await subscribe()]
    for (const subscription of [gone, kept]) await alice.call('disableWebhook', subscription)
    await hooked.publish(2)
    await deliverDue()
    await alice.call('deleteWebhook', gone)
    expect(await sweepHeld(domain)).toBe(2)
    expect(await hooked.log(kept)).toMatchObject([{ state: 'held' }, { state: 'held' }])
  })
})
