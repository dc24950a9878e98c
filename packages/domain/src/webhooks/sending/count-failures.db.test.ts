import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { type Hooked, test } from '../../testing/hooked-world.ts'

/** So many deliveries go through all their attempts and fail. */
async function failAll(hooked: Hooked, subscription: { id: string }, count: number): Promise<void> {
  const { deliverDue, publish, receiver, world } = hooked
  receiver.answer(500)
  await publish(count)
  await deliverDue()
  for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
    await world.advance(delay)
    await deliverDue()
  }
  const entries = await hooked.log(subscription)
  expect(entries.filter((entry) => entry.state === 'pending')).toEqual([])
}

async function succeed({ deliverDue, publish, receiver }: Hooked): Promise<void> {
  receiver.answer(200)
  await publish(1)
  await deliverDue()
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
      const { alice, deliverDue, log, publish, receiver, subscribe, world } = hooked
      const subscription = await subscribe()
      const read = async () => (await alice.call('getWebhook', subscription)).webhook
      await failAll(hooked, subscription, 19)
      expect(await read()).toMatchObject({ disabledReason: null, consecutiveFailures: 19 })
      await failAll(hooked, subscription, 1)
      expect(await read()).toMatchObject({ disabledReason: 'failures', consecutiveFailures: 20 })

      const notices = await hooked.notices(subscription)
      const admins = new Set(notices.map((notice) => notice.user_id))
      expect(notices.filter((notice) => notice.kind === 'webhook.disabled')).toHaveLength(
        admins.size,
      )
      expect(notices.filter((notice) => notice.kind === 'webhook.warning')).toHaveLength(
        admins.size,
      )
      const link = notices.at(-1)?.link ?? ''
      expect(link).toMatch(new RegExp(`^/w/[a-z0-9-]+/webhooks/${subscription.id}$`))

      const sent = receiver.posts.length
      receiver.answer(200)
      await publish(2)
      await deliverDue()
      await world.advance(2 * 86_400)
      await deliverDue()
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

  test(
    'is told of again once one arrives after the warning',
    { tags: 'large' },
    async ({ hooked }) => {
      const subscription = await hooked.subscribe()
      await failAll(hooked, subscription, 10)
      await succeed(hooked)
      await failAll(hooked, subscription, 19)
      expect((await hooked.alice.call('getWebhook', subscription)).webhook).toMatchObject({
        disabledReason: null,
        consecutiveFailures: 19,
      })
      const kinds = (await hooked.notices(subscription)).map((notice) => notice.kind)
      expect(new Set(kinds)).toEqual(new Set(['webhook.warning', 'webhook.recovered']))
    },
  )

  test(
    verifies(
      'event.ping-not-counted',
      'is not counted for tests, nor for deliveries from before it was enabled again',
    ),
    async ({ hooked }) => {
      const { alice, deliverDue, publish, receiver, subscribe, world } = hooked
      const subscription = await subscribe()
      receiver.answer(500)
      for (let sent = 0; sent < 5; sent += 1) await alice.call('testWebhook', subscription)
      await publish(3)
      await deliverDue()
      await alice.call('disableWebhook', subscription)
      await alice.call('enableWebhook', subscription)
      for (const delay of [31, 121, 601, 3_601, 21_601, 86_401]) {
        await world.advance(delay)
        await deliverDue()
      }
      const states = (await hooked.log(subscription)).map((entry) => entry.state)
      expect(states).toEqual(Array(8).fill('failed'))
      expect((await alice.call('getWebhook', subscription)).webhook.consecutiveFailures).toBe(0)
    },
  )
})
