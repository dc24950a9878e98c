import { expect } from 'vitest'
import { test } from './support/test.ts'

test('runners whose claim is answered in vain get the same lease again', async ({ service }) => {
  await using scene = await service.scene()
  const machine = await scene.machine()
  await machine.connected()
  const lost = machine.proxy.loseAnswer('/api/runner/claim', (text) =>
    text.includes('"leaseToken"'),
  )
  const { id } = await scene.launch()
  const { body } = await lost
  expect(await scene.untilEnded()).toMatchObject({
    id,
    outcome: 'delivered',
    generation: 1,
    attempt: 1,
  })
  const [, claimId = ''] = /"claimId":"([^"]+)"/.exec(body) ?? []
  const claims = machine.proxy.seen.filter((call) => call.body.includes(claimId))
  expect(claims.length).toBeGreaterThan(1)
  expect(machine.runs()).toHaveLength(1)
  expect(await scene.countEvents('execution_claimed')).toBe(1)
})
