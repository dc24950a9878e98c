import { type Hooked, test } from '../../testing/hooked-world.ts'
import { limits } from '@svc/contracts/limits'
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

const nothing = { recovered: 0, resent: 0, held: 0, failed: 0 }

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

    const recovered = await alice.call('recoverWebhook', { id: subscription.id })
    expect(recovered).toEqual({ ...nothing, recovered: 3 })
    await deliverDue()
    const entries = await log(subscription)
    expect(entries.map((entry) => entry.state)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(receiver.posts.map((post) => post.body.id).toSorted()).toEqual(
      entries.map((entry) => entry.id),
    )
    expect(await alice.call('recoverWebhook', { id: subscription.id })).toEqual(nothing)
  })

  test('is taken in batches, and each call says how many are left', async ({ hooked }) => {
    const { alice } = hooked
    const subscription = await withHeld(hooked, 501)
    await alice.call('enableWebhook', subscription)
    const calls = [
      await alice.call('recoverWebhook', { id: subscription.id }),
      await alice.call('recoverWebhook', { id: subscription.id }),
      await alice.call('recoverWebhook', { id: subscription.id }),
    ]
    expect(calls).toEqual([
      { ...nothing, recovered: 500, held: 1 },
      { ...nothing, recovered: 1 },
      nothing,
    ])
    expect(new Set(await jobIds(hooked, subscription)).size).toBe(501)
  })

  test('is recovered once by those who ask at the same time', async ({ hooked }) => {
    const { alice, deliverDue, receiver } = hooked
    const subscription = await withHeld(hooked, 40)
    await alice.call('enableWebhook', subscription)
    const calls = Array.from({ length: 6 }, () =>
      alice.call('recoverWebhook', { id: subscription.id }),
    )
    const recovered = (await Promise.all(calls)).map((answer) => answer.recovered)
    expect(recovered.reduce((sum, one) => sum + one)).toBe(40)
    await deliverDue()
    expect(receiver.posts).toHaveLength(40)
  })

  test('stays held while its subscription is disabled', async ({ hooked }) => {
    const { alice, log } = hooked
    const subscription = await withHeld(hooked, 1)
    await expect(alice.call('recoverWebhook', { id: subscription.id })).rejects.toMatchObject({
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
    await alice.call('recoverWebhook', { id: subscription.id })
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
      await alice.call('recoverWebhook', { id: subscription.id })
      used.push(...(await jobIds(hooked, subscription)))
      await alice.call('disableWebhook', subscription)
      await deliverDue()
      expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 0 }])
    }
    expect(new Set(used).size).toBe(3)
    expect(used).not.toContain(null)
    await alice.call('enableWebhook', subscription)
    await alice.call('recoverWebhook', { id: subscription.id })
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
  })
})

/** Deliveries that have used up their attempts at an endpoint that refuses them. */
async function withFailed(hooked: Hooked, count: number) {
  const { nextAttempt, publish, receiver, subscribe, deliverDue, log } = hooked
  const subscription = await subscribe()
  receiver.answer(500)
  await publish(count)
  await deliverDue()
  for (let attempt = 2; attempt <= 7; attempt += 1) await nextAttempt(subscription)
  const entries = await log(subscription)
  expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(['failed']))
  receiver.answer(200)
  receiver.posts.length = 0
  return { subscription, entries }
}

describe('what has failed', () => {
  test('is sent once more from a moment on, and counted before', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver } = hooked
    const { subscription, entries } = await withFailed(hooked, 3)
    const since = entries[0]?.createdAt ?? ''
    const dry = { id: subscription.id, since, dryRun: true }
    expect(await alice.call('recoverWebhook', dry)).toEqual({ ...nothing, failed: 3 })
    expect(await alice.call('recoverWebhook', { id: subscription.id })).toEqual(nothing)
    await deliverDue()
    expect(receiver.posts).toEqual([])

    const call = { id: subscription.id, since }
    expect(await alice.call('recoverWebhook', call)).toEqual({ ...nothing, resent: 3 })
    await deliverDue()
    expect((await log(subscription)).map(({ state }) => state)).toEqual(
      entries.map(() => 'delivered'),
    )
    expect(new Set(receiver.posts.map(({ body }) => body.id))).toEqual(
      new Set(entries.map(({ id }) => id)),
    )
    expect(await alice.call('recoverWebhook', call)).toEqual(nothing)
  })

  test('stays as it was where it is from before, or does not arrive', async ({ hooked }) => {
    const { alice, deliverDue, log, receiver, world } = hooked
    const { subscription, entries } = await withFailed(hooked, 1)
    await world.advance(60)
    const since = new Date(Date.parse(entries[0]?.createdAt ?? '') + 1).toISOString()
    const later = { id: subscription.id, since }
    expect(await alice.call('recoverWebhook', later)).toEqual(nothing)
    receiver.answer(500)
    const all = { ...later, since: entries[0]?.createdAt ?? '' }
    expect(await alice.call('recoverWebhook', all)).toEqual({ ...nothing, resent: 1 })
    await deliverDue()
    expect(receiver.posts).toHaveLength(1)
    expect(await log(subscription)).toMatchObject([{ state: 'failed' }])
    const { webhook } = await alice.call('getWebhook', subscription)
    expect(webhook.consecutiveFailures).toBe(1)
  })

  test('is taken in batches by a cursor, each once, though it fails again', async ({ hooked }) => {
    const { alice, domain } = hooked
    const { subscription, entries } = await withFailed(hooked, 1)
    const [one] = entries
    // as many more of the same event's body, each of a delivery of its own
    await sql`
      insert into webhook_events (workspace_id, id, project_id, mission_id, type, snapshot, fanned_out_at)
      select e.workspace_id, gen_random_uuid(), e.project_id, e.mission_id, e.type, e.snapshot, e.fanned_out_at
        from webhook_events e, webhook_deliveries d, generate_series(1, 600)
       where d.id = ${one?.id} and e.id = d.event_id`.execute(domain.db)
    await sql`
      insert into webhook_bodies (workspace_id, event_id, mode, bytes)
      select e.workspace_id, e.id, 'thin', b.bytes
        from webhook_events e, webhook_bodies b, webhook_deliveries d
       where d.id = ${one?.id} and b.event_id = d.event_id
         and not exists (select from webhook_bodies x where x.event_id = e.id)`.execute(domain.db)
    await sql`
      insert into webhook_deliveries (workspace_id, id, subscription_id, kind, event_id, event_type, mode, epoch,
                                      jobs, attempts, state, settled_at, created_at)
      select d.workspace_id, gen_random_uuid(), d.subscription_id, d.kind, e.id, d.event_type, d.mode, d.epoch,
             1, 7, 'failed', d.settled_at, d.created_at
        from webhook_deliveries d, webhook_events e
       where d.id = ${one?.id}
         and not exists (select from webhook_deliveries x where x.event_id = e.id)`.execute(
      domain.db,
    )
    const call = { id: subscription.id, since: one?.createdAt ?? '' }
    let sent = 0
    let cursor: string | undefined
    do {
      const answer = await alice.call('recoverWebhook', { ...call, ...(cursor && { cursor }) })
      sent += answer.resent
      cursor = answer.nextCursor
    } while (cursor !== undefined)
    expect(sent).toBe(601)
    expect(await alice.call('recoverWebhook', call)).toEqual(nothing)
  })

  test('is found in the log from a moment on', async ({ hooked }) => {
    const { alice } = hooked
    const { subscription, entries } = await withFailed(hooked, 2)
    const { id } = subscription
    const count = async (since: string) =>
      (await alice.call('listWebhookDeliveries', { id, since })).deliveries.length
    expect(await count(entries[0]?.createdAt ?? '')).toBe(2)
    expect(await count(new Date(Date.now() + 86_400_000 * 365).toISOString())).toBe(0)
  })
})

test('a workspace has so many webhooks and no more, also of those who make some at once', async ({
  hooked,
}) => {
  const { alice, domain, subscribe, world } = hooked
  const { id } = await subscribe()
  const countAll = async () => {
    const { rows } = await sql`
      select from webhook_subscriptions
       where workspace_id = ${world.workspaceId} and deleted_at is null`.execute(domain.db)
    return rows.length
  }
  const room = limits.webhooksPerWorkspace - (await countAll())
  await sql`
    insert into webhook_subscriptions (workspace_id, id, name, endpoint_url, event_types, payload_mode,
                                       secret_ciphertext, created_by)
    select workspace_id, gen_random_uuid(), name, endpoint_url, event_types, payload_mode, secret_ciphertext, created_by
      from webhook_subscriptions, generate_series(1, ${room - 1}) where id = ${id}`.execute(
    domain.db,
  )
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => subscribe()))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await countAll()).toBe(limits.webhooksPerWorkspace)
  await alice.call('deleteWebhook', { id })
  await subscribe()
})
