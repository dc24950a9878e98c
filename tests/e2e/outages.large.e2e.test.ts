import { advance } from '@svc/testing/clock'
import { describe, expect } from 'vitest'
import { outliveLease } from './support/outlive-lease.ts'
import { heldIn } from './support/phases.ts'
import { untilGone } from './support/processes.ts'
import type { Outage } from './support/proxy.ts'
import { leaseLapsesMs } from './support/service.ts'
import { test } from './support/test.ts'
import { expectWhole } from './support/whole.ts'

/** Ways to lose the network, each for a whole lease. */
const outages: readonly Outage[] = ['cut', 'requests lost', 'answers lost']

describe('a network that fails for longer than a lease', () => {
  test.for(outages)('takes nothing from an agent that works: %s', async (outage, { service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'attached')
    const restore = machine.proxy.fail(outage)
    gate.open()
    await outliveLease(machine)
    if (outage !== 'answers lost') await advance(service.domain.db, leaseLapsesMs)
    restore()
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      generation: 1,
      exit: { exitCode: 0, cause: 'agent' },
    })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })

  test.for(outages)(
    'ends an agent that has not attached, and another carries on: %s',
    async (outage, { service }) => {
      await using scene = await service.scene({ repository: true })
      const { machine, gate } = await heldIn(scene, 'spawned')
      const agent = await machine.agent()
      const restore = machine.proxy.fail(outage)
      await untilGone(agent)
      await gate.left
      restore()
      gate.open()
      expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered' })
      await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
    },
  )
})
