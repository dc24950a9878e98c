import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { databaseNow, secondsUntilDue, test } from '../../testing/hooked-world.ts'

const delays = [30, 120, 600, 3_600, 21_600, 86_400]

describe('the schedule', () => {
  test(
    verifies(
      ['webhook.backoff', 'webhook.backoff-end'],
      'makes seven attempts, none before its time, and then gives up for good',
    ),
    async ({ hooked, world }) => {
      const { deliverDue, domain, log, publish, receiver, subscribe } = hooked
      const subscription = await subscribe()
      receiver.answer(500)
      await publish(1)
      await deliverDue()
      const begun = await databaseNow(domain)

      for (const [index, delay] of delays.entries()) {
        const [entry] = await log(subscription)
        const ended = Date.parse(entry?.tries.at(-1)?.endedAt ?? '')
        const distance = (Date.parse(entry?.nextAttemptAt ?? '') - ended) / 1000
        // both are written in one transaction, a statement apart
        expect(Math.abs(distance - delay)).toBeLessThan(5)

        await world.advance((await secondsUntilDue(domain, subscription.id)) - 5)
        await deliverDue()
        expect(receiver.posts).toHaveLength(index + 1)
        await world.advance(5)
        await deliverDue()
        expect(receiver.posts).toHaveLength(index + 2)
      }

      const [last] = await log(subscription)
      const passed = (Date.parse(last?.settledAt ?? '') - begun.getTime()) / 1000
      expect(Math.floor(passed / 60)).toBe(Math.floor(112_350 / 60))
      expect(last).toMatchObject({ state: 'failed', attempts: 7, nextAttemptAt: null })
      await world.advance(10 * 86_400)
      await deliverDue()
      expect(receiver.posts).toHaveLength(7)
    },
  )

  test(
    verifies('error.attempt-non-2xx', 'begins after every answer that is no 2xx'),
    async ({ hooked }) => {
      const { deliverDue, log, publish, receiver, subscribe } = hooked
      const subscription = await subscribe()
      const codes = [500, 404, 302, 410, 429]
      for (const code of codes) {
        receiver.answer(code)
        await publish(1)
        await deliverDue()
      }
      const entries = await log(subscription)
      expect(entries.map((entry) => entry.tries[0]?.error)).toEqual(
        codes.map((code) => `http_${code}`),
      )
      for (const { nextAttemptAt, tries } of entries) {
        const ended = Date.parse(tries[0]?.endedAt ?? '')
        expect(Math.abs((Date.parse(nextAttemptAt ?? '') - ended) / 1000 - 30)).toBeLessThan(5)
      }
    },
  )
})
