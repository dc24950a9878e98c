import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { heldIn } from './support/phases.ts'
import { test } from './support/test.ts'
import { expectWhole } from './support/whole.ts'

describe('kill -9 while an agent works', () => {
  test(
    verifies('runner.separate-process', 'of the API and of the daemon disturbs no run'),
    async ({ service }) => {
      await using scene = await service.scene({ repository: true })
      const { machine, gate } = await heldIn(scene, 'attached')
      await service.api().killNow()
      await machine.daemon().killNow()
      gate.open()
      await service.start()
      expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', generation: 1 })
      machine.start()
      await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
    },
  )
})
