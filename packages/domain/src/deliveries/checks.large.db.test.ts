import { randomUUID } from 'node:crypto'
import type { CheckResult } from '@svc/contracts/check'
import type { Objective } from '@svc/contracts/objective'
import { readDetails } from '../events/event-details.ts'
import { describe, expect } from 'vitest'
import type { Run } from '../testing/runs.ts'
import type { World } from '../testing/world.ts'
import { test } from '../testing/world.ts'

const commit = 'c'.repeat(40)
const passed: CheckResult = {
  name: 'test',
  outcome: 'passed',
  exitCode: 0,
  seconds: 1.5,
  output: '12 passed',
}
const failed: CheckResult = { ...passed, outcome: 'failed', exitCode: 1, output: 'one is red' }
const tree = { commit, dirty: false, changed: false }

/** A project whose deliveries are checked, with the first objective of a mission under way. */
async function checked<const Steps extends readonly string[]>(
  world: World,
  steps: Steps,
  setUp: Parameters<World['missionWith']>[1] = {},
) {
  const { alice, project, mission } = await world.missionWith(steps, setUp)
  await world.alice.call('updateLaunchSettings', {
    id: project.id,
    checks: { test: { command: 'npm test' } },
  })
  return { alice, project, mission }
}

const keyed = () => ({ idempotencyKey: randomUUID() })

function report({ runner, lease }: Run, attempt: number, ...results: CheckResult[]) {
  const { id, leaseToken } = lease
  const all = results.length > 0 && { report: { ...tree, results } }
  return runner.call('reportCheck', { id, leaseToken, attempt, ...all })
}

async function directives({ runner, lease }: Run) {
  const { id: requestId, leaseToken } = lease
  const leases = [{ requestId, leaseToken, state: 'running' as const }]
  const { instanceId } = runner
  return (await runner.call('heartbeatRunner', { instanceId, leases })).directives
}

async function deliveryOf(world: World, { missionId }: Pick<Objective, 'missionId'>) {
  return (await world.alice.call('listDeliveries', { id: missionId })).deliveries[0]
}

describe('a delivery of a run whose project names checks', () => {
  test('waits for the check, which its supervisor is asked for until it says what it came to', async ({
    world,
  }) => {
    const { mission } = await checked(world, ['one'])
    const run = await world.attachedRun(mission.objectives[0])
    const key = keyed()
    expect(await directives(run)).toEqual([])
    const waiting = () => run.agent.deliver({}, key)
    await expect(waiting()).rejects.toMatchObject({
      code: 'check_running',
      details: { attempt: 1, names: ['test'], begunAt: null },
    })
    const wanted = { type: 'check', requestId: run.lease.id, attempt: 1, names: ['test'] }
    expect(await directives(run)).toEqual([wanted])
    await report(run, 1)
    await expect(waiting()).rejects.toMatchObject({
      code: 'check_running',
      details: { begunAt: expect.any(String) },
    })
    expect(await directives(run)).toEqual([wanted])
    await report(run, 1, passed)
    expect(await directives(run)).toEqual([])
    const delivered = await waiting()
    expect(delivered.objective.state).toBe('complete')
    expect((await deliveryOf(world, mission.objectives[0]))?.checks).toEqual({
      outcome: 'passed',
      reason: null,
      ...tree,
      checkedAt: expect.any(String),
      attempts: 1,
      results: [passed],
    })
    // what comes late, or again, changes nothing
    await report(run, 1, failed)
    expect(await waiting()).toEqual(delivered)
    const { events } = await world.alice.call('listMissionEvents', { id: mission.id })
    expect(events.filter(({ type }) => type === 'check_run').map(({ summary }) => summary)).toEqual(
      ['Before the delivery: test passed after 1.5 s at cccccccccccc'],
    )
  })

  test('is refused by the first failure, however often that call is made, and delivered as failed by the second', async ({
    world,
  }) => {
    const { mission } = await checked(world, ['one', 'two'], { auto_advance: true })
    const [first, second] = mission.objectives
    const run = await world.attachedRun(first)
    const [one, other] = [keyed(), keyed()]
    await expect(run.agent.deliver({}, one)).rejects.toMatchObject({ code: 'check_running' })
    await report(run, 1, failed)
    for (const _again of [1, 2]) {
      await expect(run.agent.deliver({}, one)).rejects.toMatchObject({
        code: 'check_failed',
        details: { attempt: 1, results: [failed] },
      })
    }
    expect((await world.alice.call('getObjective', { id: first.id })).objective.state).toBe(
      'executing',
    )
    await expect(run.agent.deliver({}, other)).rejects.toMatchObject({
      code: 'check_running',
      details: { attempt: 2 },
    })
    // one that lost its answer meets the attempt that is under way
    await report(run, 2, { ...failed, output: 'still red' })
    const { next, warnings } = await run.agent.deliver({}, other)
    expect(warnings).toEqual([expect.stringContaining('test failed with exit code 1')])
    expect(await deliveryOf(world, first)).toMatchObject({
      checks: { outcome: 'failed', attempts: 2, results: [{ output: 'still red' }] },
    })
    expect(next).toEqual({ objectiveId: second.id, state: 'awaiting_approval' })
    const { objective } = await world.alice.call('getObjective', { id: second.id })
    expect(objective.approvalRefusal).toMatchObject({ code: 'check_failed' })
    const { nextSteps } = await world.alice.call('getMissionOverview', { id: mission.id })
    expect(nextSteps[0]).toMatchObject({
      next: { operation: 'launchObjective' },
      why: expect.stringContaining('was delivered with a check that failed'),
    })
    await world.alice.launch(objective)
  })

  test('says with its run which check it was refused for, once the agent gives up on it', async ({
    world,
  }) => {
    const { alice, mission } = await checked(world, ['one'])
    const [one] = mission.objectives
    const run = await world.attachedRun(one)
    const key = keyed()
    await expect(run.agent.deliver({}, key)).rejects.toMatchObject({ code: 'check_running' })
    await report(run, 1, failed)
    await expect(run.agent.deliver({}, key)).rejects.toMatchObject({ code: 'check_failed' })
    await run.runner.exited(run.lease, { exitCode: 4 })
    const why =
      'its delivery was refused: test failed with exit code 1 after 1.5 s; then exit code 4'
    const { nextSteps } = await alice.call('getMissionOverview', { id: mission.id })
    expect(nextSteps[0]).toMatchObject({ because: why })
    const { needs } = await alice.call('listNeeds', { whose: 'all' })
    expect(needs).toContainEqual(expect.objectContaining({ kind: 'stopped_run', reason: why }))
  })

  test('is checked anew for whoever did not wait for the check before', async ({ world }) => {
    const { mission } = await checked(world, ['one'])
    const run = await world.attachedRun(mission.objectives[0])
    await expect(run.agent.deliver({}, keyed())).rejects.toMatchObject({ code: 'check_running' })
    const joined = keyed()
    await expect(run.agent.deliver({}, joined)).rejects.toMatchObject({ details: { attempt: 1 } })
    await report(run, 1, passed)
    await expect(run.agent.deliver({}, keyed())).rejects.toMatchObject({
      details: { attempt: 2 },
    })
    await report(run, 2, failed)
    // the failure that nobody was told of is the first one
    await expect(run.agent.deliver({}, joined)).rejects.toMatchObject({
      code: 'check_running',
      details: { attempt: 3 },
    })
  })

  test('is taken as not run where no supervisor is there to run it, and nothing follows it', async ({
    world,
  }) => {
    const { mission } = await checked(world, ['one', 'two', 'three'], { auto_advance: true })
    const [first, second] = mission.objectives
    const run = await world.attachedRun(first)
    await expect(run.agent.deliver({}, keyed())).rejects.toMatchObject({ code: 'check_running' })
    // its lease is over
    await world.advance(120)
    const { next } = await run.agent.deliver({}, keyed())
    expect(next).toMatchObject({ objectiveId: second.id, state: 'awaiting_approval' })
    expect((await deliveryOf(world, first))?.checks).toMatchObject({
      outcome: 'not_run',
      reason: expect.stringContaining('not heard of'),
    })
    const hosted = world.agentOf(world.alice, { objectiveId: second.displayId })
    await hosted.attach()
    await hosted.deliver()
    expect(await deliveryOf(world, first)).toMatchObject({
      objectiveId: second.id,
      checks: { outcome: 'not_run', results: [] },
    })
    const { objectives } = await world.alice.call('getMission', { id: mission.id })
    expect(objectives.at(2)).toMatchObject({
      state: 'awaiting_approval',
      approvalRefusal: { code: 'check_not_run' },
    })
  })

  test('that a supervisor renews for, but begins nothing of, is taken after the length of a lease', async ({
    world,
  }) => {
    const { mission } = await checked(world, ['one'])
    const run = await world.attachedRun(mission.objectives[0])
    await expect(run.agent.deliver({}, keyed())).rejects.toMatchObject({ code: 'check_running' })
    await world.advance(world.domain.seconds.lease - 20)
    await run.runner.heartbeat(run.lease)
    await expect(run.agent.deliver({}, keyed())).rejects.toMatchObject({ code: 'check_running' })
    await world.advance(30)
    await run.runner.heartbeat(run.lease)
    await run.agent.deliver({}, keyed())
    expect((await deliveryOf(world, mission.objectives[0]))?.checks).toMatchObject({
      outcome: 'not_run',
      reason: expect.stringContaining('did not begin'),
    })
  })

  test('wins over a cancellation that is under way', async ({ world }) => {
    const { mission } = await checked(world, ['one'])
    const run = await world.attachedRun(mission.objectives[0])
    await world.alice.call('cancelObjective', { id: mission.objectives[0].id })
    expect((await run.agent.deliver({}, keyed())).objective.state).toBe('complete')
  })

  test('is as without checks where its objective picks none, and takes the one that is picked', async ({
    world,
  }) => {
    const { mission, project } = await checked(world, ['one', 'two', 'three'], {
      auto_advance: true,
    })
    const [first, second] = mission.objectives
    const checks = { test: { command: 'npm test' }, lint: { command: 'npm run lint' } }
    await world.alice.call('updateLaunchSettings', { id: project.id, checks })
    await world.alice.call('updateObjective', { id: first.id, check: 'none' })
    await world.alice.call('updateObjective', { id: second.id, check: 'lint' })
    const run = await world.attachedRun(first)
    expect((await run.agent.deliver()).next).toMatchObject({ state: 'launching' })
    expect((await deliveryOf(world, first))?.checks).toBe(null)
    const lease = await run.runner.take()
    await run.runner.launching(lease)
    await run.runner.launched(lease)
    const agent = run.runner.agent(lease)
    await agent.attach()
    await expect(agent.deliver()).rejects.toMatchObject({ details: { names: ['lint'] } })
  })

  test('of work that is put on record says that nothing was run', async ({ world }) => {
    const { mission } = await checked(world, ['one'])
    await world.alice.protocol('record-work', {
      objectiveId: mission.objectives[0].displayId,
      summary: 'Done by hand.',
    })
    expect((await deliveryOf(world, mission.objectives[0]))?.checks).toMatchObject({
      outcome: 'not_run',
    })
  })
})

describe('the check of an objective', () => {
  test('is a person’s to choose, of those that the project has', async ({ world }) => {
    const { mission } = await checked(world, ['one', 'two'])
    const [first, second] = mission.objectives
    await world.attachedRun(first)
    const token = await world.alice.withPreset('runner')
    const edit = { id: second.id, check: 'none' }
    await expect(token.call('updateObjective', edit)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      world.alice.call('updateObjective', { ...edit, check: 'lint' }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    const { objective } = await world.alice.call('updateObjective', edit)
    expect(objective.check).toBe('none')
    const all = await world.alice.call('updateObjective', { ...edit, check: null })
    expect(all.objective.check).toBe(null)
  })
})

describe('a report of a check', () => {
  test('is taken under the lease alone, once, and of the attempt that is waited for', async ({
    world,
  }) => {
    const { mission } = await checked(world, ['one'])
    const run = await world.attachedRun(mission.objectives[0])
    const key = keyed()
    await expect(run.agent.deliver({}, key)).rejects.toMatchObject({ code: 'check_running' })
    const forged = { id: run.lease.id, attempt: 1, report: { ...tree, results: [passed] } }
    for (const leaseToken of [run.agent.sessionKey(), `${run.lease.leaseToken.slice(0, -2)}xx`]) {
      await expect(run.runner.call('reportCheck', { ...forged, leaseToken })).rejects.toMatchObject(
        { code: 'lease_lost' },
      )
    }
    await report(run, 2, passed)
    await report(run, 1, failed)
    await report(run, 1, passed)
    await expect(run.agent.deliver({}, key)).rejects.toMatchObject({ code: 'check_failed' })
  })
})

describe('a run queue', () => {
  test('holds what is next after a delivery that failed its checks, until a person retries it', async ({
    world,
  }) => {
    const { mission, project } = await checked(world, ['one', 'two'])
    const other = await world.missionWith(['elsewhere'], { project })
    const [first, second] = mission.objectives
    for (const { id } of [first, second, other.mission.objectives[0]]) {
      await world.alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await world.alice.call('queueObjective', { objectiveId: id })
    }
    const { queues } = await world.alice.call('listRunQueues', { id: project.id })
    const [queue] = queues
    if (!queue) throw new Error('a project has a queue')
    const runner = await world.connectedRunner(project)
    await world.alice.call('startRunQueue', { id: queue.id })
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    await world.advance(120)
    await agent.deliver()
    const entries = async () => {
      const answer = await world.alice.call('listRunQueues', { id: project.id })
      return answer.queues[0]?.entries.map(({ objectiveId, state, reason }) => [
        objectiveId,
        state,
        reason,
      ])
    }
    expect(await entries()).toEqual([
      [second.id, 'held', 'check_not_run'],
      [other.mission.objectives[0].id, 'waiting', 'turn'],
    ])
    const { queues: after } = await world.alice.call('listRunQueues', { id: project.id })
    expect(after[0]?.advanceOwedSince).toBe(null)
    const held = after[0]?.entries[0]?.id ?? ''
    await world.alice.call('retryRunQueueEntry', { id: held })
    expect(await entries()).toMatchObject([
      [second.id, 'waiting', 'turn'],
      [other.mission.objectives[0].id, 'waiting', 'turn'],
    ])
  })
})

test('a payload of a webhook in full has what its checks came to', async ({ world }) => {
  const { mission } = await checked(world, ['one'])
  const run = await world.attachedRun(mission.objectives[0])
  const key = keyed()
  await expect(run.agent.deliver({}, key)).rejects.toMatchObject({ code: 'check_running' })
  await report(run, 1, passed)
  await run.agent.deliver({}, key)
  const event = await world.domain.db
    .selectFrom('webhook_events')
    .selectAll()
    .where('mission_id', '=', mission.id)
    .where('type', '=', 'mission.delivered')
    .executeTakeFirstOrThrow()
  const snapshot = event.snapshot as unknown as Parameters<typeof readDetails>[2]
  const details = await world.domain.db
    .transaction()
    .execute((tx) => readDetails(tx as never, event, snapshot))
  expect(details.delivery?.checks).toMatchObject({ outcome: 'passed', commit })
})
