import { advance } from '@svc/testing/clock'
import { describe, expect } from 'vitest'
import { heldIn, phases, phasesBeforeWork, phasesOfWork } from './support/phases.ts'
import { killAll, untilGone } from './support/processes.ts'
import { leaseLapsesMs } from './support/service.ts'
import { test } from './support/test.ts'
import { expectWhole } from './support/whole.ts'

/** What a runner that failed has to wait before its run is handed out again. */
const firstDelayMs = 16_000

describe('kill -9 of the daemon', () => {
  test.for(phases)('disturbs no run that is %s', async (phase, { service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, phase)
    await machine.daemon().killNow()
    gate.open()
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      generation: 1,
      attempt: 1,
    })
    machine.start()
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })

  test('that has got a request and not yet noted it gives it to the next claim', async ({
    service,
  }) => {
    await using scene = await service.scene()
    const machine = await scene.machine()
    await machine.connected()
    const again = machine.proxy.hold('/claim')
    const lost = machine.proxy.loseAnswer('/claim', (text) => text.includes('"leaseToken"'))
    await scene.launch()
    await lost
    await again.arrived
    await machine.daemon().killNow()
    again.open()
    await advance(service.domain.db, leaseLapsesMs)
    machine.start()
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      attempt: 2,
      lastRelease: { reason: 'lease_lapsed' },
    })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})

describe('kill -9 of the supervisor', () => {
  test.for(phasesBeforeWork)(
    '%s gives the run back, and its next turn ends in review',
    async (phase, { service }) => {
      await using scene = await service.scene({ repository: true })
      const { machine, gate } = await heldIn(scene, phase)
      killAll([await machine.supervisor()])
      gate.open()
      const released = await scene.untilRequest('given back', ({ status }) => status === 'queued')
      expect(released).toMatchObject({ lastRelease: { reason: 'supervisor_lost' }, attempt: 2 })
      await advance(service.domain.db, firstDelayMs)
      expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', attempt: 2 })
      await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
    },
  )

  test('whose agent has not attached queues the run again, and it ends in review', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    await scene.launch('stalls-once')
    await scene.untilRequest('launched', ({ status }) => status === 'launched')
    const agent = await machine.agent()
    killAll([await machine.supervisor()])
    await untilGone(agent)
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      attempt: 2,
      lastRelease: { reason: 'supervisor_lost' },
    })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })

  test.for(phasesOfWork)(
    'whose agent is %s ends the run as exited, and one launch more ends in review',
    async (phase, { service }) => {
      await using scene = await service.scene({ repository: true })
      const { machine } = await heldIn(scene, phase)
      killAll([await machine.supervisor()])
      await machine.alone()
      expect(await scene.untilEnded()).toMatchObject({
        outcome: 'exited',
        generation: 1,
        exit: { cause: 'supervisor_lost' },
      })
      await scene.launch()
      await scene.untilRequest('delivered', ({ outcome }) => outcome === 'delivered')
      await expectWhole(scene, machine, { deliveries: 1, attached: 2 })
    },
  )

  test('and of the daemon leaves the run to the next daemon', async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'delivering')
    await machine.daemon().killNow()
    killAll([await machine.supervisor()])
    gate.open()
    await scene.untilRequest(
      'delivered by the agent alone',
      ({ outcome }) => outcome === 'delivered',
    )
    machine.start()
    expect(await scene.untilEnded()).toMatchObject({ exit: { cause: 'supervisor_lost' } })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})

describe('kill -9 of the agent', () => {
  test('before it attached fails the run, which can be launched again', async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    await scene.launch('stalls-once')
    await scene.untilRequest('launched', ({ status }) => status === 'launched')
    killAll([await machine.agent()])
    expect(await scene.untilEnded()).toMatchObject({
      status: 'failed',
      failure: { code: 'exited_before_attach', message: expect.stringContaining('SIGKILL') },
    })
    const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
    expect(objective.state).toBe('draft')
    await expectWhole(scene, machine, { deliveries: 0, attached: 0 })
  })

  test.for(phasesOfWork)('that is %s ends the run as exited', async (phase, { service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine } = await heldIn(scene, phase)
    killAll([await machine.agent()])
    const run = await scene.untilEnded()
    expect(run).toMatchObject({ outcome: 'exited', exit: { signal: 'SIGKILL', cause: 'agent' } })
    const { objective } = await scene.client.call('getObjective', { id: scene.objective.id })
    expect(objective).toMatchObject({ state: 'submitted', lastOutcome: 'exited' })
    await expectWhole(scene, machine, { deliveries: 0, attached: 1 })
  })
})

describe('kill -9 while an agent works', () => {
  test('of the supervisor and of the agent ends the run as exited, and one launch more ends in review', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { machine } = await heldIn(scene, 'attached')
    killAll([await machine.supervisor(), await machine.agent()])
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'exited',
      exit: { cause: 'supervisor_lost' },
    })
    await scene.launch()
    await scene.untilRequest('delivered', ({ outcome }) => outcome === 'delivered')
    await expectWhole(scene, machine, { deliveries: 1, attached: 2 })
  })
})
