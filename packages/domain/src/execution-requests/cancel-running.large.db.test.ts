import { outboxOf, sessionsOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { runAt, cancelledExit } from './testing/run-at.ts'
import { type Run } from '../testing/runs.ts'

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

  test('wins over a cancel under way, and the run is nobody’s to end any more', async ({
    world,
  }) => {
    const run = await runAt(world, 'attached')
    const { alice, mission, objective, next, agent, lease, runner } = run
    await run.cancel()

    expect(await agent.deliver()).toMatchObject({
      objective: { state: 'complete' },
      next: { objectiveId: next.id },
    })

    expect(await directives(run)).toEqual([])
    expect(await run.cancel()).toMatchObject({ alreadyFinished: true })
    await world.advance(61)
    await world.settle()
    expect(await runner.exited(lease, cancelledExit)).toMatchObject({ outcome: 'delivered' })
    expect(await alice.objective(objective)).toMatchObject({ state: 'complete', lastOutcome: null })
    const types = (await alice.eventsOf(mission)).map(({ type }) => type)
    expect(types).toContain('cancel_superseded')
    expect(types).not.toContain('execution_cancelled')
  })
})

async function directives({ runner, lease }: Pick<Run, 'runner' | 'lease'>) {
  const answer = await runner.call('heartbeatRunner', {
    instanceId: runner.instanceId,
    leases: [{ requestId: lease.id, leaseToken: lease.leaseToken, state: 'running' }],
  })
  return answer.directives
}

describe('cancelling a run that a runner has', () => {
  test.for(['claimed', 'launching', 'launched', 'attached'] as const)(
    'when it is %s tells its supervisor with every heartbeat until it is over',
    async (stage, { world }) => {
      const run = await runAt(world, stage)
      const { alice, lease } = run
      expect(await directives(run)).toEqual([])

      expect(await run.cancel()).toMatchObject({
        alreadyFinished: false,
        executionRequest: { cancelRequestedAt: expect.any(String), endedAt: null },
      })

      const expected = [{ type: 'cancel', requestId: lease.id, graceSeconds: 0 }]
      expect(await directives(run)).toEqual(expected)
      expect(await directives(run)).toEqual(expected)
      await run.runner.exited(lease, cancelledExit)
      expect(await directives(run)).toEqual([])
      expect((await alice.request(lease)).endedAt).not.toBeNull()
    },
  )

  test('again changes nothing, and after its end says so', async ({ world }) => {
    const { cancel, runner, lease } = await runAt(world, 'attached')
    await cancel()
    const again = await world.rowsWrittenBy(async () => {
      expect(await cancel()).toMatchObject({ alreadyFinished: false })
    })
    expect(again).toEqual({ rows: [], refusal: undefined })
    await runner.exited(lease, cancelledExit)
    expect(await cancel()).toMatchObject({ alreadyFinished: true })
  })

  test.for(['claimed', 'launching'] as const)(
    'when it is %s refuses what would start its agent, and is over when it is given back',
    async (stage, { world }) => {
      const { alice, objective, runner, lease, cancel } = await runAt(world, stage)
      await cancel()
      for (const report of [() => runner.launching(lease), () => runner.launched(lease)]) {
        await expect(report()).rejects.toMatchObject({ code: 'cancel_requested' })
      }

      const report = () => runner.released(lease, { reason: 'runner_draining' })
      const over = { status: 'cancelled', outcome: null, generation: lease.generation }
      expect(await report()).toMatchObject(over)
      expect(await report()).toMatchObject(over)
      expect((await runner.claim()).request).toBeNull()
      expect(await alice.objective(objective)).toMatchObject({
        state: 'submitted',
        lastOutcome: 'cancelled',
      })
    },
  )

  test('counts as cancelled even where its launch fails, or its machine goes', async ({
    world,
  }) => {
    const failing = await runAt(world, 'launching')
    await failing.cancel()
    expect(await failing.runner.failed(failing.lease)).toMatchObject({ status: 'cancelled' })
    for (const cause of ['supervisor_lost', 'host_rebooted', 'runner_stopped'] as const) {
      const { runner, lease, cancel } = await runAt(world, 'launched')
      await cancel()
      const exited = await runner.exited(lease, { cause })
      expect(exited).toMatchObject({ status: 'launched', outcome: 'cancelled', exit: { cause } })
    }
  })

  test('ends the session of its agent, and frees the mission for the next one', async ({
    world,
  }) => {
    const { alice, mission, objective, next, runner, lease, agent, cancel } = await runAt(
      world,
      'attached',
    )
    await cancel()
    expect(await agent.update()).toMatchObject({ directive: 'stop' })
    await expect(alice.launch(next)).rejects.toMatchObject({ code: 'mission_busy' })

    expect(await runner.exited(lease, cancelledExit)).toMatchObject({
      status: 'launched',
      outcome: 'cancelled',
      exit: { cause: 'cancelled' },
    })

    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'cancelled',
    })
    expect((await sessionsOf(world, mission))[0]).toMatchObject({
      status: 'ended',
      end_reason: 'cancelled',
    })
    await expect(agent.update()).rejects.toMatchObject({ code: 'session_ended' })
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'execution_cancelled',
      summary: 'Cancelled: the wrong branch',
    })
    expect((await alice.launch(next)).reused).toBe(false)
  })

  test('refuses another launch until it is over, with the same choice too', async ({ world }) => {
    const { alice, objective, lease, cancel } = await runAt(world, 'launching')
    await cancel()
    const written = await world.rowsWrittenBy(() => alice.launch(objective))
    expect(written).toMatchObject({
      rows: [],
      refusal: {
        code: 'objective_not_launchable',
        message: expect.stringContaining('is being cancelled'),
        next: { operation: 'getExecutionRequest', params: { id: lease.id } },
      },
    })
  })

  test.for(['claimed', 'launching', 'launched', 'attached'] as const)(
    'that is %s and of which nothing more is heard is ended for it after a while',
    async (stage, { world }) => {
      const { alice, mission, objective, runner, lease, agent, cancel } = await runAt(world, stage)
      await cancel()
      await world.settle()
      expect((await alice.request(lease)).endedAt).toBeNull()

      await world.advance(61)
      await world.settle()

      expect(await alice.request(lease)).toMatchObject({ endedAt: expect.any(String) })
      expect(await alice.objective(objective)).toMatchObject({
        state: 'submitted',
        lastOutcome: 'cancelled',
      })
      expect((await alice.eventsOf(mission))[0]).toMatchObject({
        type: 'execution_cancelled',
        summary: expect.stringContaining('may still run'),
        actor: { role: 'service' },
      })
      // whoever comes back learns that this is over, and changes nothing
      expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false }])
      await expect(runner.exited(lease)).rejects.toMatchObject({ code: 'lease_lost' })
      if (stage === 'attached') {
        await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
      }
      expect((await alice.objective(objective)).state).toBe('submitted')
    },
  )

  test('is not ended for the time in which the service itself was away', async ({ world }) => {
    const { alice, lease, cancel } = await runAt(world, 'attached')
    await cancel()
    await world.outage(600)
    await world.settle()
    expect((await alice.request(lease)).endedAt).toBeNull()
  })

  test('that was held lost ends it for good: its agent does not come back', async ({ world }) => {
    const { alice, objective, runner, lease, agent, cancel } = await runAt(world, 'attached')
    await world.advance(1000)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({ lastOutcome: 'lost' })

    expect(await cancel()).toMatchObject({
      alreadyFinished: false,
      executionRequest: { outcome: 'cancelled' },
      objective: { state: 'submitted', lastOutcome: 'lost' },
    })
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false }])
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
  })

  test('tells an agent that attaches meanwhile to stop', async ({ world }) => {
    const { agent, cancel, runner, lease, alice, objective } = await runAt(world, 'launched')
    await cancel()
    expect(await agent.attach()).toMatchObject({ directive: 'stop' })
    await runner.exited(lease, { exitCode: 0 })
    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'cancelled',
    })
  })
})
