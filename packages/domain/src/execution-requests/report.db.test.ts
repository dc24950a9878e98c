import { randomUUID } from 'node:crypto'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

async function claimedRun(world: World, instructions: readonly string[] = ['write the docs']) {
  const { alice, mission } = await world.missionWith(instructions)
  const objective = mission.objectives[0]!
  await alice.launch(objective)
  const runner = await world.connectedRunner({ id: mission.projectId })
  return { alice, mission, objective, runner, lease: await runner.take() }
}

describe('the reports of a runner', () => {
  test(
    verifies(
      ['runner.reports-launching', 'runner.reports-launched', 'request.statuses'],
      'take the request from claimed over launching to launched',
    ),
    async ({ world }) => {
      const { alice, mission, runner, lease } = await claimedRun(world)

      expect((await runner.launching(lease)).status).toBe('launching')
      expect(await runner.launched(lease)).toMatchObject({
        status: 'launched',
        outcome: 'running',
        attachBy: expect.any(String),
      })
      expect((await alice.eventsOf(mission))[0]?.type).toBe('execution_launched')
    },
  )

  test(
    'record the branch once: as the mission’s, unless it is of the objective',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, objective, runner, lease } = await claimedRun(world)

      await runner.launching(lease, 'a-mission-1')
      await runner.launching(lease, 'a-mission-1')
      expect((await alice.mission(mission)).active_branch).toBe('a-mission-1')
      expect((await alice.objective(objective)).branch).toBeNull()
      expect(
        (await alice.eventsOf(mission)).filter((one) => one.type === 'branch_prepared'),
      ).toHaveLength(1)
    },
  )

  test(
    verifies(
      'objective.branch-recorded',
      'record an objective’s own branch on the objective alone',
    ),
    async ({ world }) => {
      const { alice, mission, objective, runner, lease } = await claimedRun(world)
      const key = objective.displayId.slice(objective.displayId.indexOf('.') + 1)

      await runner.launching(lease, `a-mission-1-${key}`, { missionBranch: 'a-mission-1' })

      expect((await alice.objective(objective)).branch).toBe(`a-mission-1-${key}`)
      expect((await alice.mission(mission)).active_branch).toBeNull()
    },
  )

  test(
    'of a launching or a launched run change nothing when sent again',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, runner, lease } = await claimedRun(world)
      await runner.launching(lease)
      const first = await runner.launched(lease)

      const again = await runner.launched(lease)
      const late = await runner.launching(lease)

      expect(again.attachBy).toBe(first.attachBy)
      expect(late).toMatchObject({ status: 'launched' })
      const launches = (await alice.eventsOf(mission)).filter(
        (one) => one.type === 'execution_launched',
      )
      expect(launches).toHaveLength(1)
    },
  )

  test(
    'of the same branch or process write nothing when sent again',
    { tags: 'large' },
    async ({ world }) => {
      const { runner, lease } = await claimedRun(world)
      const prepare = () => runner.launching(lease, 'a-mission-1')
      await prepare()
      expect((await world.rowsWrittenBy(prepare)).rows).toEqual([])
      await runner.launched(lease)
      expect((await world.rowsWrittenBy(() => runner.launched(lease))).rows).toEqual([])
    },
  )

  test(
    verifies(
      ['runner.reports-failed', 'runner.failure-error', 'runner.failure-stops-objective'],
      'of a failed start end the request, keep the error and give the objective back',
    ),
    async ({ world }) => {
      const { alice, mission, objective, runner, lease } = await claimedRun(world)
      await runner.launching(lease)

      await runner.failed(lease, { code: 'disk_full', message: 'No room.', phase: 'prepare' })

      const [request] = await alice.requestsOf(mission)
      expect(request).toMatchObject({
        status: 'failed',
        failure: { code: 'disk_full', message: 'No room.', phase: 'prepare' },
        endedAt: expect.any(String),
      })
      expect((await alice.objective(objective)).state).toBe('draft')
    },
  )

  test(
    'of a failed start sent again get the same answer and write nothing',
    { tags: 'large' },
    async ({ world }) => {
      const { runner, lease } = await claimedRun(world)
      const first = await runner.failed(lease)

      const written = await world.rowsWrittenBy(async () => {
        expect(await runner.failed(lease)).toEqual(first)
      })

      expect(written).toEqual({ rows: [], refusal: undefined })
    },
  )

  test('give the slot back, so that another objective can be launched', async ({ world }) => {
    const { alice, mission, runner, lease } = await claimedRun(world, ['first', 'second'])
    await expect(alice.launch(mission.objectives[1]!)).rejects.toMatchObject({
      code: 'mission_busy',
    })

    await runner.failed(lease)

    expect((await alice.launch(mission.objectives[1]!)).objective.state).toBe('launching')
  })

  test.for(['failed', 'released'] as const)(
    'refuse that a run has %s once its agent was started',
    { tags: 'large' },
    async (report, { world }) => {
      const { objective, alice, runner, lease } = await claimedRun(world)
      await runner.launching(lease)
      await runner.launched(lease)

      await expect(runner[report](lease)).rejects.toMatchObject({
        code: 'invalid_transition',
        message: 'This can be done with a run that is claimed or launching; this one is running.',
      })

      expect((await alice.objective(objective)).state).toBe('launching')
    },
  )

  test('refuse launched before launching', async ({ world }) => {
    const { runner, lease } = await claimedRun(world)
    await expect(runner.launched(lease)).rejects.toMatchObject({
      code: 'invalid_transition',
      message: 'This can be done with a run that is launching; this one is claimed.',
      details: { status: 'claimed' },
    })
  })
})

test('a launch that failed names the step that helps', async ({ world }) => {
  const { alice, project, mission } = await world.missionWith(['a'])
  const { executionRequest } = await alice.launch(mission.objectives[0])
  const runner = await world.connectedRunner(project)
  const next = { operation: 'connectResource', params: { resourceKey: 'web' } } as const

  await runner.failed(await runner.take(), { code: 'bad_working_directory', next })

  const { failure } = await alice.request(executionRequest)
  expect(failure).toMatchObject({ code: 'bad_working_directory', next })
})

describe('a run that is given back', () => {
  test('waits longer each time and fails when its attempts are used up', async ({ world }) => {
    const { alice, mission, objective, runner, lease } = await claimedRun(world)
    const returned = await runner.released(lease, { reason: 'network' })
    expect(returned).toMatchObject({
      status: 'queued',
      attempt: 2,
      lastRelease: { reason: 'network' },
      leaseExpiresAt: null,
    })
    expect((await runner.claim()).request).toBeNull()
    await world.advance(5)
    await runner.released(await runner.take(), { reason: 'network' })
    await world.advance(5)
    expect((await runner.claim()).request).toBeNull()
    await world.advance(5)

    await runner.released(await runner.take(), { reason: 'network' })

    expect(await alice.requestsOf(mission)).toMatchObject([
      { status: 'failed', failure: { code: 'attempts_exhausted', phase: 'service' } },
    ])
    expect((await alice.objective(objective)).state).toBe('draft')
  })

  test.for(['checkout_busy', 'branch_elsewhere', 'runner_draining'] as const)(
    'because of %s costs no attempt',
    { tags: 'large' },
    async (reason, { world }) => {
      const { runner, lease } = await claimedRun(world)
      let held = lease
      for (let times = 1; times <= 5; times += 1) {
        expect(await runner.released(held, { reason })).toMatchObject({
          status: 'queued',
          attempt: 1,
        })
        await world.advance(300)
        held = await runner.take()
      }
      expect((await runner.launching(held)).attempt).toBe(1)
    },
  )
})

describe('the exit of an agent', () => {
  test('before it attached fails the run with its last output', async ({ world }) => {
    const { alice, objective, runner, lease } = await claimedRun(world)
    await runner.launching(lease)
    await runner.launched(lease)

    const usage = { usd: '0.02' }
    const request = await runner.exited(lease, { exitCode: 3, lastOutput: 'no such model', usage })

    expect(request).toMatchObject({
      status: 'failed',
      outcome: null,
      usage,
      failure: { code: 'exited_before_attach', phase: 'attach' },
      exit: { exitCode: 3, lastOutput: 'no such model' },
    })
    expect((await alice.objective(objective)).state).toBe('draft')
  })

  test('says in failure and notification what the agent said went wrong', async ({ world }) => {
    const { alice, runner, lease } = await claimedRun(world)
    await runner.launching(lease)
    await runner.launched(lease)
    const agentError = 'Not logged in · Please run /login'
    const request = await runner.exited(lease, { exitCode: 1, agentError })
    expect(request).toMatchObject({
      failure: { message: expect.stringContaining(agentError) },
      exit: { agentError },
    })
    const { notifications } = await alice.call('listNotifications', {})
    const notices = notifications.filter(({ title }) => title.includes(agentError))
    expect(notices).toMatchObject([{ kind: 'run_failed' }])
  })

  test(
    'is told where it never attached, and its service ended it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, runner, lease } = await claimedRun(world)
      await runner.launching(lease)
      await runner.launched(lease)
      const agentError = '401 Unauthorized'
      await runner.launched(lease, { agentError })
      for (let seconds = 0; seconds < world.domain.seconds.attach; seconds += 50) {
        await world.advance(50)
        await runner.heartbeat(lease)
      }
      await world.advance(1)
      await world.settle()
      const { executionRequest } = await alice.call('getExecutionRequest', { id: lease.id })
      expect(executionRequest.failure).toMatchObject({
        code: 'attach_timeout',
        message: expect.stringContaining(agentError),
      })
      const { notifications } = await alice.call('listNotifications', {})
      const notices = notifications.filter(({ title }) => title.includes(agentError))
      expect(notices).toMatchObject([{ kind: 'run_failed' }])
    },
  )

  test.for(['supervisor_lost', 'host_rebooted', 'runner_stopped'] as const)(
    'before it attached is another try when the cause is %s',
    { tags: 'large' },
    async (cause, { world }) => {
      const { alice, objective, runner, lease } = await claimedRun(world)
      await runner.launching(lease)
      await runner.launched(lease)

      const request = await runner.exited(lease, { cause, exitCode: null, signal: 'SIGKILL' })

      expect(request).toMatchObject({ status: 'queued', outcome: null, attempt: 2 })
      expect((await alice.objective(objective)).state).toBe('launching')
      expect((await runner.take()).id).toBe(lease.id)
    },
  )

  test('after it attached ends the run and gives the objective back', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'ship it'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])

    const request = await runner.exited(lease, { cause: 'host_rebooted' })

    expect(request).toMatchObject({ status: 'launched', outcome: 'exited' })
    expect(await alice.objective(mission.objectives[0])).toMatchObject({
      state: 'submitted',
      lastOutcome: 'exited',
    })
    await expect(agent.update()).rejects.toMatchObject({ code: 'session_ended' })
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'run_ended',
      summary: 'The agent ended without a delivery: its machine was started anew, exit code 0',
    })
    expect((await alice.launch(mission.objectives[0])).reused).toBe(false)
  })

  test('after its delivery leaves the delivery what it is', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()

    const usage = { inputTokens: 1_000_000, outputTokens: 5, usd: '0.3' }
    const request = await runner.exited(lease, { usage })

    expect(request).toMatchObject({ outcome: 'delivered', endedAt: expect.any(String), usage })
    expect((await alice.request(lease)).usage).toEqual(usage)
    expect((await alice.objective(mission.objectives[0])).state).toBe('complete')
  })

  test('sent again gets the same answer and writes nothing', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const first = await runner.exited(lease)

    const written = await world.rowsWrittenBy(async () => {
      expect(await runner.exited(lease)).toEqual(first)
    })

    expect(written).toEqual({ rows: [], refusal: undefined })
  })
})

describe('a lease that another one has replaced', () => {
  test('can report nothing more, and changes nothing', { tags: 'large' }, async ({ world }) => {
    const { mission, runner, lease } = await claimedRun(world)
    await runner.released(lease, { reason: 'runner_draining' })
    const other = await world.connectedRunner({ id: mission.projectId })
    await other.take()
    const reports = [
      () => runner.launching(lease),
      () => runner.launching(lease, 'a-branch'),
      () => runner.launched(lease),
      () => runner.failed(lease),
      () => runner.released(lease),
      () => runner.exited(lease),
      () => runner.log(lease, 0, 'late'),
      () => runner.diff(lease),
    ]

    for (const report of reports) {
      const written = await world.rowsWrittenBy(report)
      expect(written).toMatchObject({ rows: [], refusal: { code: 'lease_lost' } })
    }
  })

  test.for(['', '.', 'test.', 'other.AAAA', 'nonsense'])(
    'is as good as the lease token "%s"',
    { tags: 'large' },
    async (leaseToken, { world }) => {
      const { runner, lease } = await claimedRun(world)
      const forged = { ...lease, leaseToken: leaseToken || ' ' }
      await expect(runner.launching(forged)).rejects.toMatchObject({ code: 'lease_lost' })
    },
  )

  test('of another request is no lease of this one', async ({ world }) => {
    const mine = await claimedRun(world)
    const other = await claimedRun(world)
    const swapped = { ...mine.lease, leaseToken: other.lease.leaseToken }
    await expect(mine.runner.launching(swapped)).rejects.toMatchObject({ code: 'lease_lost' })
  })

  test('is not asked for where the request is not there for the caller', async ({ world }) => {
    const { runner, lease } = await claimedRun(world)
    const stranger = await world.carla.withPreset('runner')
    const report = { id: lease.id, leaseToken: lease.leaseToken }

    await expect(stranger.call('reportLaunching', report)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(runner.launching({ ...lease, id: randomUUID() })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
