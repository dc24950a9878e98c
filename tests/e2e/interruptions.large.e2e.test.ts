import { readRunOrder } from '@svc/runner/run/run-folder'
import { advance } from '@svc/testing/clock'
import { describe, expect } from 'vitest'
import { outliveLease } from './support/outlive-lease.ts'
import { heldIn, phases, stopIn } from './support/phases.ts'
import { isRunning, untilGone } from './support/processes.ts'
import { leaseLapsesMs } from './support/service.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'
import { expectWhole } from './support/whole.ts'

describe('kill -9 of the API', () => {
  test.for(phases)('disturbs no run that is %s', async (phase, { service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, phase)
    await service.api().killNow()
    gate.open()
    await service.start()
    const run = await scene.untilRequest(
      'delivered',
      (now) => now.outcome === 'delivered' && now.endedAt !== null,
    )
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
    expect(run.exit?.cause).toBe('agent')
  })

  test('keeps no runner from being started: it waits until the service is there', async ({
    service,
  }) => {
    await using scene = await service.scene()
    await service.api().killNow()
    const machine = await scene.machine({ project: scene.project.slug })
    const waits = () => machine.daemon().output().includes('It is tried until it answers')
    await until('the runner says that it waits', waits, { details: machine.daemon().output })
    await service.start()
    await machine.connected()
  })

  test('for longer than a lease takes nothing from an agent that works', async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'delivering')
    await service.api().killNow()
    gate.open()
    await advance(service.domain.db, leaseLapsesMs)
    await service.start()
    expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', generation: 1 })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })

  test('for longer than a lease, before a renewal has reported the attach, takes nothing either', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    const [attaching, working] = [stopIn(machine, 'spawned'), stopIn(machine, 'attached')]
    await scene.launch()
    await attaching.arrived
    const supervisor = await machine.supervisor()
    process.kill(supervisor, 'SIGSTOP')
    attaching.open()
    await working.arrived
    await service.api().killNow()
    process.kill(supervisor, 'SIGCONT')
    working.open()
    await outliveLease(machine)
    await service.start()
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      generation: 1,
      exit: { exitCode: 0, cause: 'agent' },
    })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})

describe('a supervisor that slept for longer than its lease', () => {
  test('ends its agent and reports nothing, while the next generation delivers', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    await scene.launch('stalls-once')
    await scene.untilRequest('launched', ({ status }) => status === 'launched')
    const [supervisor, agent] = [await machine.supervisor(), await machine.agent()]
    const [first] = machine.runs()
    process.kill(supervisor, 'SIGSTOP')
    await advance(service.domain.db, leaseLapsesMs)
    await scene.untilRequest(
      'claimed anew',
      ({ attempt, status }) => attempt === 2 && status !== 'queued',
    )
    expect(isRunning(agent)).toBe(true)
    const since = machine.proxy.seen.length
    process.kill(supervisor, 'SIGCONT')
    await untilGone(agent)
    await untilGone(supervisor)
    expect(await scene.untilEnded()).toMatchObject({
      outcome: 'delivered',
      attempt: 2,
      lastRelease: { reason: 'lease_lapsed' },
    })
    const { leaseToken } = readRunOrder(first?.folder ?? '')
    const reports = machine.proxy.seen
      .slice(since)
      .filter(({ path, body }) => body.includes(leaseToken) && !path.endsWith('/heartbeat'))
    expect(reports).toEqual([])
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})

describe('a runner that is stopped', () => {
  test('ends an agent that ignores signals and a process that left its group', async ({
    service,
  }) => {
    await using scene = await service.scene({
      repository: true,
      instructions: ['Stay.\nscripted: ignore-signals fork-out-of-group hang-after-attach'],
    })
    const machine = await scene.machine()
    await scene.launch()
    const { id } = await scene.untilRequest('attached', ({ sessionId }) => sessionId !== null)
    // Signals go to the whole group: until then they end the command that attaches, and the agent with its code.
    await until('the agent does nothing but stay', async () => {
      const { bytes } = await scene.client.call('getRunLog', { id })
      return Buffer.from(bytes).includes('hanging')
    })
    const agent = await machine.agent()
    expect(machine.processes().length).toBeGreaterThanOrEqual(4)
    machine.daemon().kill('SIGQUIT')
    expect(await machine.daemon().ended).toEqual({ code: 0, signal: null })
    expect(isRunning(agent)).toBe(false)
    await machine.alone()
    expect(await scene.request()).toMatchObject({
      outcome: 'exited',
      exit: { signal: 'SIGKILL', cause: 'runner_stopped' },
    })
  })

  test('gives back a run without an agent, which the next start carries to review', async ({
    service,
  }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, 'preparing')
    machine.daemon().kill('SIGTERM')
    expect(await machine.daemon().ended).toEqual({ code: 0, signal: null })
    gate.open()
    expect(await scene.request()).toMatchObject({
      status: 'queued',
      attempt: 1,
      lastRelease: { reason: 'runner_draining' },
    })
    machine.start()
    expect(await scene.untilEnded()).toMatchObject({ outcome: 'delivered', attempt: 1 })
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})
