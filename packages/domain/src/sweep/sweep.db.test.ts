import { withFault } from '@svc/testing/faults'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const lease = 60
const graceSeconds = 15

describe('a run without a session', { tags: 'large' }, () => {
  test('goes back to the queue when its lease and the time of a graceful termination have lapsed', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease: first } = await world.startedRun(mission.objectives[0])
    await world.advance(lease + graceSeconds - 10)
    await world.settle()
    expect((await alice.request(first)).status).toBe('launched')

    await world.advance(20)
    await world.settle()

    expect(await alice.request(first)).toMatchObject({
      status: 'queued',
      outcome: null,
      attempt: 2,
      generation: first.generation + 1,
      lastRelease: { reason: 'lease_lapsed' },
    })
    expect((await alice.objective(mission.objectives[0])).state).toBe('launching')
    const second = await runner.take()
    expect(second).toMatchObject({ id: first.id, generation: first.generation + 2 })
    await expect(runner.agent(first).attach()).rejects.toMatchObject({ code: 'stale_execution' })
  })

  test('fails when its lease has lapsed three times', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.launch(mission.objectives[0])
    const runner = await world.connectedRunner({ id: mission.projectId })

    for (let times = 1; times <= 3; times += 1) {
      await runner.take()
      await world.advance(lease + graceSeconds + 1)
      await world.settle()
    }

    expect(await alice.requestsOf(mission)).toMatchObject([
      { status: 'failed', failure: { code: 'attempts_exhausted' } },
    ])
    expect((await alice.objective(mission.objectives[0])).state).toBe('draft')
  })

  test('expires when its agent does not attach in time', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease: held, agent } = await world.startedRun(mission.objectives[0])
    for (let seconds = 0; seconds < 600; seconds += 50) {
      await world.advance(50)
      await runner.heartbeat(held)
    }
    await world.advance(1)
    await world.settle()

    expect(await alice.request(held)).toMatchObject({
      status: 'expired',
      failure: { code: 'attach_timeout', phase: 'attach' },
    })
    expect((await alice.objective(mission.objectives[0])).state).toBe('draft')
    expect(await runner.heartbeat(held)).toMatchObject([{ ok: false, reason: 'superseded' }])
    await expect(agent.attach()).rejects.toMatchObject({ code: 'stale_execution' })
  })

  test('is taken back once when several processes sweep at once', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { lease: held } = await world.startedRun(mission.objectives[0])
    await world.advance(lease + graceSeconds + 1)

    await Promise.all([world.settle(), world.settle(), world.settle()])

    expect(await alice.request(held)).toMatchObject({ status: 'queued', attempt: 2 })
  })
})

describe('a run with a session', () => {
  test(
    'is never started again; its silence makes it stale, then lost',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { lease: held, agent } = await world.attachedRun(mission.objectives[0])
      const sessionStatus = async () => {
        const row = await world.domain.db
          .selectFrom('agent_sessions')
          .select('status')
          .where('execution_request_id', '=', held.id)
          .executeTakeFirstOrThrow()
        return row.status
      }
      await world.advance(290)
      await world.settle()
      expect(await sessionStatus()).toBe('active')
      await world.advance(20)
      await world.settle()
      expect(await sessionStatus()).toBe('stale')
      await world.advance(570)
      await world.settle()
      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
      await world.advance(30)
      await world.settle()

      expect(await sessionStatus()).toBe('lost')
      expect(await alice.request(held)).toMatchObject({ status: 'launched', outcome: 'lost' })
      expect(await alice.objective(mission.objectives[0])).toMatchObject({
        state: 'submitted',
        lastOutcome: 'lost',
      })
      expect((await agent.deliver()).objective.state).toBe('complete')
    },
  )

  test(
    'is active again after any call, and after a renewal alone',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { runner, lease: held, agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(890)
      await agent.heartbeat()
      await world.advance(890)
      await runner.heartbeat(held)
      await world.advance(890)
      await world.settle()

      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
    },
  )

  test(
    'goes on when its agent is heard of after it was held lost',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { lease: held, agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(901)
      await world.settle()

      await agent.update()

      expect(await alice.request(held)).toMatchObject({ outcome: 'running' })
      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
      await world.settle()
      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
    },
  )

  test('can be launched again once it is lost', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { lease: held, agent } = await world.attachedRun(mission.objectives[0])
    await world.advance(901)
    await world.settle()

    const relaunched = await alice.launch(mission.objectives[0])

    expect(relaunched).toMatchObject({ reused: false, objective: { lastOutcome: null } })
    expect(relaunched.executionRequest.id).not.toBe(held.id)
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'stale_execution' })
  })

  test(
    'ends when its exit is reported after it was held lost',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { runner, lease: held, agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(901)
      await world.settle()

      expect(await runner.exited(held)).toMatchObject({
        outcome: 'lost',
        endedAt: expect.any(String),
      })

      await expect(agent.update()).rejects.toMatchObject({ code: 'session_ended' })
      expect(await alice.objective(mission.objectives[0])).toMatchObject({
        state: 'submitted',
        lastOutcome: 'lost',
      })
    },
  )
})

describe('a session without a request', () => {
  test('is lost after the same silence', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    await agent.attach()
    await world.advance(901)
    await world.settle()
    expect(await alice.objective(mission.objectives[0])).toMatchObject({
      state: 'submitted',
      lastOutcome: 'lost',
    })
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'session_lost',
      objectiveId: mission.objectives[0].id,
      actor: { role: 'service' },
      data: { executionRequestId: null, outcome: 'lost' },
    })

    await agent.update()

    expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
  })
})

describe('an outage of ours', () => {
  test(
    'is nobody’s silence: every lease, deadline and clock moves on by it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['attached'])
      const other = await world.missionWith(['started'])
      const attached = await world.attachedRun(mission.objectives[0])
      const started = await world.startedRun(other.mission.objectives[0])
      const before = await alice.request(started.lease)
      await world.advance(0)

      await world.outage(7_200)
      await world.settle()

      const after = await alice.request(started.lease)
      expect(after).toMatchObject({ status: 'launched', attempt: 1 })
      expect(Date.parse(after.attachBy!) - Date.parse(before.attachBy!)).toBeGreaterThanOrEqual(
        7_200_000,
      )
      expect((await alice.request(attached.lease)).outcome).toBe('running')
      expect((await attached.agent.deliver()).objective.state).toBe('complete')

      await world.advance(lease + graceSeconds + 1)
      await world.settle()
      expect((await alice.request(started.lease)).status).toBe('queued')
    },
  )

  test('gives an agent that has attached no deadline to attach', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['attached'])
    const { runner, lease: held, agent } = await world.attachedRun(mission.objectives[0])
    await world.outage(7_200)
    await world.settle()

    await world.advance(601)
    await runner.heartbeat(held)
    await agent.heartbeat()
    await world.settle()

    expect(await alice.request(held)).toMatchObject({ outcome: 'running', attachBy: null })
    expect((await agent.deliver()).objective.state).toBe('complete')
  })
})

describe('what a crash or a restored backup leaves', () => {
  test('is put right: an objective that launches without a request goes back', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    await alice.call('submitObjective', { id: mission.objectives[0].id })
    const { executionRequest } = await alice.launch(mission.objectives[0])
    await sql`update execution_requests set status = 'failed' where id = ${executionRequest.id}`.execute(
      world.domain.db,
    )

    await world.settle()

    expect((await alice.objective(mission.objectives[0])).state).toBe('submitted')
  })

  test(
    verifies('advance.launches-next', 'is made good: an advance that failed with its delivery'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['first', 'second'], {
        auto_advance: true,
      })
      const { agent } = await world.attachedRun(mission.objectives[0])
      const fault = { table: 'execution_requests', operation: 'insert' } as const
      const delivered = await withFault(world.domain.db, fault, () => agent.deliver())
      expect(delivered).toMatchObject({ objective: { state: 'complete' }, next: null })
      expect(delivered.warnings).toHaveLength(1)

      await world.settle()
      await world.settle()

      expect((await alice.objective(mission.objectives[1])).state).toBe('launching')
      expect(
        (await alice.requestsOf(mission)).filter((one) => one.source === 'auto_advance'),
      ).toHaveLength(1)
    },
  )
})
