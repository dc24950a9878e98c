import { describe, expect } from 'vitest'
import { cancel, expectCancelled } from './cancel.ts'
import { test } from './support/test.ts'

const stubborn = 'hang-after-attach, ignore-signals, fork-out-of-group'

describe('svc cancel', () => {
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
