import { describe, expect } from 'vitest'
import { cancel, letsNoAgentBeStarted } from './cancel.ts'
import { heldIn } from './support/phases.ts'
import { test } from './support/test.ts'

describe('svc cancel', () => {
  letsNoAgentBeStarted('before launching')

  test('leaves what the agent delivers in the same moment: it is whole, or it is refused', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'delivering')

    const cancelling = cancel(scene, service.baseUrl)
    gate.open()
    await cancelling

    const run = await scene.untilEnded()
    await machine.settled()
    const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
    const isDelivered = run.outcome === 'delivered'
    expect([objective.state, await scene.countEvents('delivery')]).toEqual(
      isDelivered ? ['complete', 1] : ['submitted', 0],
    )
  })

  letsNoAgentBeStarted('preparing')
})
