import { describe, expect } from 'vitest'
import { cancel, letsNoAgentBeStarted, expectCancelled } from './cancel.ts'
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

  test('ends an agent that ignores every signal, with the process that left its group', async ({
    service,
  }) => {
    const instructions = [`Hold on.\nscripted: ${stubborn}`]
    await using scene = await service.scene({ repository: true, instructions })
    const machine = await scene.machine()
    await scene.launch()
    await scene.untilRequest('attached', ({ sessionId }) => sessionId !== null)
    const agent = await machine.agent()
    const group = () => machine.processes().filter((pid) => pid !== machine.daemon().pid)

    await cancel(scene, service.baseUrl)

    expect(await expectCancelled(scene, machine)).toMatchObject({
      status: 'launched',
      outcome: 'cancelled',
      exit: { signal: 'SIGKILL', cause: 'cancelled' },
    })
    expect(machine.processes()).not.toContain(agent)
    expect(group()).toEqual([])
  })

  test('of a queued run leaves nothing for the runner that comes', async ({ service }) => {
    await using scene = await service.scene()
    await scene.launch()
    await cancel(scene, service.baseUrl)
    const machine = await scene.machine()
    await machine.connected()
    expect(await expectCancelled(scene, machine)).toMatchObject({ status: 'cancelled' })
    expect(machine.runs()).toEqual([])
  })
})

const stubborn = 'hang-after-attach, ignore-signals, fork-out-of-group'
