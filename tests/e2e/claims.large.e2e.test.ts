import { expect, describe } from 'vitest'
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

describe('runners', () => {
  test('whose reports are answered in vain send them again, and nothing happens twice', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    const calls = [
      '/launching',
      '/launched',
      '/attach',
      '/update',
      '/add-artifact',
      '/deliver',
      '/exited',
    ]
    const lost = calls.map((call) => machine.proxy.loseAnswer(call))
    await scene.launch()
    await Promise.all(lost)
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      generation: 1,
      exit: { exitCode: 0 },
    })
    await machine.settled()
    for (const type of [
      'execution_launched',
      'session_attached',
      'update',
      'artifact_added',
      'delivery',
    ]) {
      expect([type, await scene.countEvents(type)]).toEqual([type, 1])
    }
    const { deliveries } = await scene.client.call('listDeliveries', { id: scene.mission.id })
    expect(deliveries).toHaveLength(1)
  })
})
