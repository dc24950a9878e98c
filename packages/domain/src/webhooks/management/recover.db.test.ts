import { type Hooked, test } from '../../testing/hooked-world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { fanOutDue } from '../sending/fan-out.ts'
import { defaultTiming } from '../sending/retry-schedule.ts'

/** A subscription that was disabled while so many events happened. */
async function withHeld(hooked: Hooked, count: number) {
  const { alice, deliverDue, publish, subscribe } = hooked
  const subscription = await subscribe()
  await alice.call('disableWebhook', subscription)
  await publish(count)
  await deliverDue()
  return subscription
}

async function jobIds({ domain }: Hooked, { id }: { id: string }) {
  const rows = await domain.db
    .selectFrom('webhook_deliveries')
    .select('job_id')
    .where('subscription_id', '=', id)
    .execute()
  return rows.map((row) => row.job_id)
}

/** Stops the fan-out of these events before it writes a body, until the answer is called. */
async function stopFanOut({ domain, world }: Hooked, eventIds: readonly string[]) {
  const stopped = await domain.db.startTransaction().execute()
  await stopped
    .insertInto('webhook_bodies')
    .values(
      eventIds.map((event_id) => ({
        workspace_id: world.workspaceId,
        event_id,
        mode: 'thin' as const,
        bytes: Buffer.of(),
      })),
    )
    .execute()
  return () => stopped.rollback().execute()
}

/** Resolves once so many connections wait for a lock. */
async function untilWaiting({ domain }: Hooked, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(domain.db)
    if (rows.length >= count) return
  }
}

describe('what is held', () => {
  test('is counted by an enabling in the midst of the fan-out', async ({ hooked }) => {
    const { alice, domain, log, publish, subscribe } = hooked
    const subscription = await subscribe()
    await alice.call('disableWebhook', subscription)
    const goOn = await stopFanOut(hooked, await publish(1))
    const fannedOut = fanOutDue(domain, defaultTiming)
    await untilWaiting(hooked, 1)

    const enabling = alice.call('enableWebhook', subscription)
    await Promise.race([enabling, untilWaiting(hooked, 2)])
    await goOn()
    await fannedOut

    const held = (await log(subscription)).filter((entry) => entry.state === 'held')
    expect(await enabling).toMatchObject({ held: held.length })
  })

  test('is counted by the enabling, and sent by the recovery alone', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver } = hooked
    const subscription = await withHeld(hooked, 3)
    expect(await alice.call('enableWebhook', subscription)).toMatchObject({ held: 3 })
    expect(await alice.call('enableWebhook', subscription)).toMatchObject({ held: 3 })
    await deliverDue()
    expect(receiver.posts).toEqual([])

    const recovered = await alice.call('recoverWebhook', subscription)
    expect(recovered).toEqual({ recovered: 3, held: 0 })
    await deliverDue()
    const entries = await log(subscription)
    expect(entries.map((entry) => entry.state)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(receiver.posts.map((post) => post.body.id).toSorted()).toEqual(
      entries.map((entry) => entry.id),
    )
    expect(await alice.call('recoverWebhook', subscription)).toEqual({ recovered: 0, held: 0 })
  })

  test('is taken in batches, and each call says how many are left', async ({ hooked }) => {
    const { alice } = hooked
    const subscription = await withHeld(hooked, 501)
    await alice.call('enableWebhook', subscription)
    const calls = [
      await alice.call('recoverWebhook', subscription),
      await alice.call('recoverWebhook', subscription),
      await alice.call('recoverWebhook', subscription),
    ]
    expect(calls).toEqual([
      { recovered: 500, held: 1 },
      { recovered: 1, held: 0 },
      { recovered: 0, held: 0 },
    ])
    expect(new Set(await jobIds(hooked, subscription)).size).toBe(501)
  })

  test('is recovered once by those who ask at the same time', async ({ hooked }) => {
    const { alice, deliverDue, receiver } = hooked
    const subscription = await withHeld(hooked, 40)
    await alice.call('enableWebhook', subscription)
    const calls = Array.from({ length: 6 }, () => alice.call('recoverWebhook', subscription))
    const recovered = (await Promise.all(calls)).map((answer) => answer.recovered)
    expect(recovered.reduce((sum, one) => sum + one)).toBe(40)
    await deliverDue()
    expect(receiver.posts).toHaveLength(40)
  })

  test('stays held while its subscription is disabled', async ({ hooked }) => {
    const { alice, log } = hooked
    const subscription = await withHeld(hooked, 1)
    await expect(alice.call('recoverWebhook', subscription)).rejects.toMatchObject({
      code: 'invalid_transition',
      next: { operation: 'enableWebhook', params: { id: subscription.id } },
    })
    expect(await log(subscription)).toMatchObject([{ state: 'held' }])
  })

  test('goes on with the attempts that it has left, and counts as failed again', async ({
    hooked,
  }) => {
    const { alice, deliverDue, log, nextAttempt, receiver, subscribe, world } = hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await hooked.publish(1)
    await deliverDue()
    await alice.call('disableWebhook', subscription)
    await world.advance(31)
    await deliverDue()
    await alice.call('enableWebhook', subscription)
    await alice.call('recoverWebhook', subscription)
    await deliverDue()
    expect(await log(subscription)).toMatchObject([{ state: 'pending', attempts: 2 }])
    await world.advance(60)
    await deliverDue()
    expect(receiver.posts).toHaveLength(2)
    for (let attempt = 3; attempt <= 7; attempt += 1) await nextAttempt(subscription)
    expect(receiver.posts).toHaveLength(7)
    expect(await log(subscription)).toMatchObject([{ state: 'failed', attempts: 7 }])
    const { webhook } = await alice.call('getWebhook', subscription)
    expect(webhook.consecutiveFailures).toBe(1)
  })

  test('gets a job under a new id each time', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver } = hooked
    const subscription = await withHeld(hooked, 1)
    const used: (string | null)[] = []
    for (let round = 0; round < 3; round += 1) {
      await alice.call('enableWebhook', subscription)
      await alice.call('recoverWebhook', subscription)
      used.push(...(await jobIds(hooked, subscription)))
      await alice.call('disableWebhook', subscription)
      await deliverDue()
      expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 0 }])
    }
    expect(new Set(used).size).toBe(3)
    expect(used).not.toContain(null)
    await alice.call('enableWebhook', subscription)
    await alice.call('recoverWebhook', subscription)
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
  })
})
