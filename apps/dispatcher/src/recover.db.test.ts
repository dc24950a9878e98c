import { claimAttempts } from '@svc/domain/webhooks/sending/load'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { test } from './testing/dispatched-world.ts'

describe('what is held', () => {
  test(
    verifies('webhook.at-least-once', 'of a disabled webhook arrives once it is recovered'),
    async ({ hooked }) => {
      const { alice, dispatcher, log, publish, receiver, subscribe } = hooked
      const subscription = await subscribe()
      await alice.call('disableWebhook', subscription)
      for (let event = 0; event < 3; event += 1) {
        await publish(1)
        await dispatcher.drain()
      }
      expect(await alice.call('enableWebhook', subscription)).toMatchObject({ held: 3 })
      await dispatcher.drain()
      expect(receiver.posts).toEqual([])

      await alice.call('recoverWebhook', { id: subscription.id })
      await dispatcher.drain()
      const entries = await log(subscription)
      expect(entries).toMatchObject(Array(3).fill({ state: 'delivered', attempts: 1 }))
      expect(receiver.posts.map((post) => post.body.id).toSorted()).toEqual(
        entries.map((entry) => entry.id),
      )
    },
  )

  test(
    verifies('webhook.at-least-once', 'after five lost claims arrives once it is recovered'),
    async ({ hooked }) => {
      const { alice, dispatcher, domain, log, receiver, subscribe, world } = hooked
      Object.assign(domain, { log: { ...domain.log, error: () => undefined } })
      const subscription = await subscribe()
      await hooked.publish(1)
      // without the hint that would wake the dispatcher that runs during the test
      const quiet = { ...domain, wake: { ...domain.wake, notify: () => undefined } }
      while ((await fanOutDue(quiet, defaultTiming)) > 0) continue
      for (let claims = 0; claims < 5; claims += 1) {
        expect(await claimAttempts(domain, { limit: 10 })).toHaveLength(1)
        await world.advance(61)
        await domain.jobs.supervise()
      }
      await dispatcher.drain()
      expect(receiver.posts).toEqual([])
      expect(await log(subscription)).toMatchObject([{ state: 'held', attempts: 0 }])

      expect(await alice.call('recoverWebhook', { id: subscription.id })).toMatchObject({
        recovered: 1,
        held: 0,
      })
      await dispatcher.drain()
      expect(await log(subscription)).toMatchObject([{ state: 'delivered', attempts: 1 }])
      expect(receiver.posts).toHaveLength(1)
    },
  )
})
