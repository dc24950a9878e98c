import { outboxOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { runAt, cancelledExit } from './testing/run-at.ts'

describe('a delivery', () => {
  test('at once with 32 cancels stands, whoever came first, and is announced once', async ({
    world,
  }) => {
    for (let round = 0; round < 4; round += 1) {
      const { alice, mission, objective, agent, lease, runner, cancel } = await runAt(
        world,
        'attached',
      )
      const calls = Array.from({ length: 33 }, (_, index) =>
        index === 16 ? () => agent.deliver() : cancel,
      )
      const answers = await Promise.all(calls.map((call) => call()))

      expect(answers.filter((one) => 'deliveryId' in one)).toHaveLength(1)
      expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
      expect(await runner.exited(lease)).toMatchObject({
        outcome: 'delivered',
        cancelRequestedAt: null,
      })
      const published = (await outboxOf(world, mission)).map(({ type }) => type)
      expect(published.filter((type) => type === 'mission.delivered')).toHaveLength(1)
      expect(published).not.toContain('svc:run_cancelled')
    }
  })

  test('at once with the report of a cancelled exit, or with its end by force, is whole or refused', async ({
    world,
  }) => {
    for (let round = 0; round < 6; round += 1) {
      const { alice, objective, agent, lease, runner, cancel } = await runAt(world, 'attached')
      await cancel()
      if (round % 2 === 1) await world.advance(61)
      const end = () => (round % 2 === 1 ? world.settle() : runner.exited(lease, cancelledExit))
      const [delivered] = await Promise.allSettled([agent.deliver(), end()])
      const { state, lastOutcome } = await alice.objective(objective)
      expect([state, lastOutcome]).toEqual(
        delivered.status === 'fulfilled' ? ['complete', null] : ['submitted', 'cancelled'],
      )
      const { outcome } = await alice.request(lease)
      expect(outcome).toBe(delivered.status === 'fulfilled' ? 'delivered' : 'cancelled')
    }
  })
})
