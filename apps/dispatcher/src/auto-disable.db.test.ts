import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { type Hooked, test } from './testing/hooked-world.ts'

/** So many deliveries go through all their attempts and fail. */
async function failAll(hooked: Hooked, subscription: { id: string }, count: number): Promise<void> {
  const { dispatcher, publish, receiver, world } = hooked
  receiver.answer(500)
  await publish(count)
  await dispatcher.drain()
  for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
    await world.advance(delay)
    await dispatcher.drain()
  }
  const entries = await hooked.log(subscription)
  expect(entries.filter((entry) => entry.state === 'pending')).toEqual([])
}

async function succeed({ dispatcher, publish, receiver }: Hooked): Promise<void> {
  receiver.answer(200)
  await publish(1)
  await dispatcher.drain()
}

function noticesOf({ domain }: Hooked, subscription: { id: string }) {
  return domain.db
    .selectFrom('notifications')
    .select(['kind', 'user_id', 'link', 'title'])
    .where('key', 'like', `% ${subscription.id} %`)
    .orderBy('id')
    .execute()
}

describe('a subscription whose deliveries fail', () => {
  test(
    verifies(
      [
        'webhook.auto-disable',
        'subscription.disabled-reason',
        'webhook.auto-disable-notice',
        'webhook.manual-enable',
      ],
      'is disabled by the 20th in a row, tells each admin once, and stays so until somebody enables it',
    ),
    async ({ hooked }) => {
      const { alice, dispatcher, log, publish, receiver, subscribe, world } = hooked
      const subscription = await subscribe()
      const read = async () => (await alice.call('getWebhook', subscription)).webhook
      await failAll(hooked, subscription, 19)
      expect(await read()).toMatchObject({ disabledReason: null, consecutiveFailures: 19 })
      await failAll(hooked, subscription, 1)
      expect(await read()).toMatchObject({ disabledReason: 'failures', consecutiveFailures: 20 })

      const notices = await noticesOf(hooked, subscription)
      const admins = new Set(notices.map((notice) => notice.user_id))
      expect(notices.filter((notice) => notice.kind === 'webhook.disabled')).toHaveLength(
        admins.size,
      )
      expect(notices.filter((notice) => notice.kind === 'webhook.warning')).toHaveLength(
        admins.size,
      )
      const link = notices.at(-1)?.link ?? ''
      expect(link).toBe(`/api/webhooks/${subscription.id}/deliveries`)

      const sent = receiver.posts.length
      receiver.answer(200)
      await publish(2)
      await dispatcher.drain()
      await world.advance(2 * 86_400)
      await dispatcher.drain()
      expect(receiver.posts).toHaveLength(sent)
      expect((await log(subscription)).slice(-2)).toMatchObject([
        { state: 'held' },
        { state: 'held' },
      ])

      expect((await alice.call('enableWebhook', subscription)).webhook).toMatchObject({
        disabledReason: null,
        consecutiveFailures: 0,
      })
      await succeed(hooked)
      expect(receiver.posts).toHaveLength(sent + 1)
    },
  )

  test('is told of again once one arrives after the warning', async ({ hooked }) => {
    const subscription = await hooked.subscribe()
    await failAll(hooked, subscription, 10)
    await succeed(hooked)
    await failAll(hooked, subscription, 19)
    expect((await hooked.alice.call('getWebhook', subscription)).webhook).toMatchObject({
      disabledReason: null,
      consecutiveFailures: 19,
    })
    const kinds = (await noticesOf(hooked, subscription)).map((notice) => notice.kind)
    expect(new Set(kinds)).toEqual(new Set(['webhook.warning', 'webhook.recovered']))
  })

  test(
    verifies(
      'event.ping-not-counted',
      'is not counted for tests, nor for deliveries from before it was enabled again',
    ),
    async ({ hooked }) => {
      const { alice, dispatcher, publish, receiver, subscribe, world } = hooked
      const subscription = await subscribe()
      receiver.answer(500)
      for (let sent = 0; sent < 5; sent += 1) await alice.call('testWebhook', subscription)
      await publish(3)
      await dispatcher.drain()
      await alice.call('disableWebhook', subscription)
      await alice.call('enableWebhook', subscription)
      for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
        await world.advance(delay)
        await dispatcher.drain()
      }
      const states = (await hooked.log(subscription)).map((entry) => entry.state)
      expect(states).toEqual(Array(8).fill('failed'))
      expect((await alice.call('getWebhook', subscription)).webhook.consecutiveFailures).toBe(0)
    },
  )

  test('is disabled exactly once by eight dispatchers that settle at the same time', async ({
    hooked,
  }) => {
    const { alice, dispatcher, domain, publish, receiver, startDispatcher, subscribe, world } =
      hooked
    const subscription = await subscribe()
    receiver.answer(500)
    await publish(30)
    await dispatcher.drain()
    const dispatchers = Array.from({ length: 8 }, () =>
      startDispatcher({ limits: { settleBatch: 2 } }),
    )
    for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
      await world.advance(delay)
      await Promise.all(dispatchers.map((one) => one.drain()))
    }
    await Promise.all(dispatchers.map((one) => one[Symbol.asyncDispose]()))

    const { webhook } = await alice.call('getWebhook', subscription)
    const states = Map.groupBy(await hooked.log(subscription), (entry) => entry.state)
    const failed = states.get('failed')?.length ?? 0
    expect(webhook.disabledReason).toBe('failures')
    expect(webhook.consecutiveFailures).toBe(failed)
    expect(failed).toBeGreaterThanOrEqual(20)
    expect(failed + (states.get('held')?.length ?? 0)).toBe(30)
    const told = (await noticesOf(hooked, subscription)).filter(
      (one) => one.kind === 'webhook.disabled',
    )
    const admins = await domain.db
      .selectFrom('memberships')
      .select('user_id')
      .where('workspace_id', '=', world.workspaceId)
      .where('role', 'in', ['owner', 'admin'])
      .execute()
    expect(told.map((one) => one.user_id).toSorted()).toEqual(
      admins.map((one) => one.user_id).toSorted(),
    )
  })
})
