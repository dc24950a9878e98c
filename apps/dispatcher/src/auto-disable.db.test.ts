import { describe, expect } from 'vitest'
import { test } from './testing/dispatched-world.ts'

describe('a subscription whose deliveries fail', () => {
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
    const notices = (await hooked.notices(subscription)).filter(
      (one) => one.kind === 'webhook.disabled',
    )
    const admins = await domain.db
      .selectFrom('memberships')
      .select('user_id')
      .where('workspace_id', '=', world.workspaceId)
      .where('role', 'in', ['owner', 'admin'])
      .execute()
    expect(notices.map((one) => one.user_id).toSorted()).toEqual(
      admins.map((one) => one.user_id).toSorted(),
    )
  })
})
