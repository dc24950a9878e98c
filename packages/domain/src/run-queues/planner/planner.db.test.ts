import type { Objective } from '@svc/contracts/objective'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../../testing/world.ts'
import { sql } from 'kysely'
import { afterEach, describe, expect } from 'vitest'
import { findViolations } from '../../entities/run-queues/invariants.ts'
import { advanceQueues } from './planner.ts'

let usedWorld: World | undefined
afterEach(async () => {
  if (usedWorld) expect(await findViolations(usedWorld.domain.db)).toEqual([])
})

/** One mission with a and b, and another of the same project with c. */
async function scene(world: World, setUp: Parameters<World['missionWith']>[1] = {}) {
  usedWorld = world
  const { alice, project, mission } = await world.missionWith(['a', 'b'], setUp)
  const other = await world.missionWith(['c'], { project })
  const [a, b] = mission.objectives
  const [c] = other.mission.objectives
  for (const { id } of [b, c]) {
    await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
  }
  const queue = async () => {
    const { queues } = await alice.call('listRunQueues', { id: project.id })
    return queues[0] ?? Promise.reject(new Error('the default queue has gone'))
  }
  const add = async (...objectives: Objective[]) => {
    for (const { id } of objectives) await alice.call('queueObjective', { objectiveId: id })
  }
  const states = async () =>
    (await queue()).entries.map(({ displayId, state, reason }) => [displayId, state, reason])
  const plan = () => advanceQueues(world.domain)
  const runner = await world.connectedRunner(project)
  /** What the queue has launched is claimed and started, and its agent attaches. */
  const work = async () => {
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    return { lease, agent, runner }
  }
  return { alice, project, mission, other, a, b, c, queue, add, states, plan, runner, work }
}

describe('a delivery', () => {
  test(
    verifies(
      ['queue.sequences-deliveries'],
      'has the queue that holds what is next in its mission launch one entry, for who queued it',
    ),
    async ({ world }) => {
      const { alice, mission, a, b, c, add, queue, plan, states, work } = await scene(world)
      await add(b)
      await world.bob.call('queueObjective', { objectiveId: c.id })
      await plan()
      expect(await alice.requestsOf(mission)).toEqual([])
      await alice.launch(a)
      const { agent } = await work()
      const { next } = await agent.deliver()

      expect(next).toBeNull()
      expect((await queue()).state).toBe('owing')
      expect(await plan()).toBe(1)
      expect((await alice.requestsOf(mission))[0]).toMatchObject({
        objectiveId: b.id,
        source: 'run_queue',
        status: 'queued',
      })
      expect(await states()).toEqual([
        [b.displayId, 'dispatched', null],
        [c.displayId, 'waiting', 'turn'],
      ])
      // one delivery, one launch
      expect(await plan()).toBe(0)
      const second = await work()
      expect(await queue()).toMatchObject({ state: 'running', advanceOwedSince: null })
      await second.agent.deliver()
      expect(await plan()).toBe(1)
      const { rows } = await sql<{ requested_by: string }>`
        select requested_by from execution_requests where objective_id = ${c.id}`.execute(
        world.domain.db,
      )
      expect(rows).toEqual([{ requested_by: (await world.bob.actor()).userId }])
    },
  )

  test(
    'of what was never queued and has nothing queued behind it leaves no advance pending',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, c, add, queue, plan, work } = await scene(world)
      await add(c)
      await alice.launch(a)
      const { agent } = await work()
      expect((await agent.deliver()).next).toMatchObject({ state: 'awaiting_approval' })
      expect([await plan(), (await queue()).state]).toEqual([0, 'idle'])
    },
  )

  test(
    'advances the queue that its objective was launched out of',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, c, add, plan, work } = await scene(world)
      await add(a, c)
      await alice.launch(a)
      await (await work()).agent.deliver()
      expect(await plan()).toBe(1)
      expect((await alice.objective(c)).state).toBe('launching')
    },
  )

  test(
    'leaves no advance pending that a later addition could be launched by',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, c, add, queue, plan, work } = await scene(world)
      await add(a)
      await alice.launch(a)
      await (await work()).agent.deliver()
      expect((await queue()).advanceOwedSince).toBeNull()
      await add(c)
      expect(await plan()).toBe(0)
    },
  )

  test('is not doubled by being sent again', { tags: 'large' }, async ({ world }) => {
    const { alice, a, b, c, add, plan, work, queue } = await scene(world)
    await add(b, c)
    await alice.launch(a)
    const { agent } = await work()
    await agent.deliver()
    expect(await plan()).toBe(1)
    await work()
    await agent.deliver()
    expect([await plan(), (await queue()).advanceOwedSince]).toEqual([0, null])
  })
})

/** After a delivery, with the advance of the queue pending. */
async function withPendingAdvance(world: World, setUp?: Parameters<World['missionWith']>[1]) {
  const at = await scene(world, setUp)
  await at.add(at.b, at.c)
  await at.alice.launch(at.a)
  await (await at.work()).agent.deliver()
  return at
}

describe('many planners at once', { tags: 'large' }, () => {
  test('launch one entry once', async ({ world }) => {
    const { alice, mission, b, states } = await withPendingAdvance(world)
    await using other = await world.openProcess()
    const planners = Array.from({ length: 8 }, (_, index) =>
      advanceQueues(index % 2 === 0 ? world.domain : other),
    )
    const launched = await Promise.all(planners)
    expect(launched.reduce((sum, one) => sum + one)).toBe(1)
    expect(
      (await alice.requestsOf(mission)).filter((one) => one.objectiveId === b.id),
    ).toHaveLength(1)
    expect((await states())[1]).toMatchObject([expect.anything(), 'waiting', 'turn'])
  })

  test('and people who launch, move, remove and pause keep what must hold, without a deadlock', async ({
    world,
  }) => {
    const { alice, b, c, queue } = await withPendingAdvance(world)
    const { id } = await queue()
    const people = [
      () => alice.launch(b),
      () => alice.launch(c),
      () => alice.call('queueObjective', { objectiveId: c.id, front: true }),
      () => alice.tool('svc_queue_objective', { objectiveId: b.id, remove: true }),
      () => alice.call('pauseRunQueue', { id }),
      () => alice.call('resumeRunQueue', { id }),
      () => alice.call('startRunQueue', { id }),
    ]
    const asked = await Promise.allSettled([
      ...people.map((ask) => ask()),
      ...Array.from({ length: 6 }, () => advanceQueues(world.domain)),
    ])
    const codes = asked.flatMap((one) =>
      one.status === 'rejected' ? [String((one.reason as { code?: string }).code)] : [],
    )
    expect(codes.filter((code) => ['internal', 'unavailable', 'undefined'].includes(code))).toEqual(
      [],
    )
  })
})

describe('a run of an entry that', () => {
  const ends = {
    failed: ['run_failed', 'run_failed'],
    lost: ['run_lost', 'run_lost'],
    exited: ['run_exited', 'run_exited'],
  } as const

  test.for(Object.entries(ends))(
    '%s leaves it held and its queue paused, and says so',
    { tags: 'large' },
    async ([how, [reason, pause]], { world }) => {
      const { alice, mission, b, runner, plan, queue, states } = await withPendingAdvance(world)
      await plan()
      const lease = await runner.take()
      await runner.launching(lease)
      if (how === 'failed') await runner.failed(lease)
      else {
        await runner.launched(lease)
        await runner.agent(lease).attach()
        if (how === 'exited') await runner.exited(lease)
        else {
          await world.advance(16 * 60)
          await world.settle()
        }
      }

      expect(await queue()).toMatchObject({ state: 'paused', pauseReason: pause, pausedBy: null })
      expect((await states())[0]).toEqual([b.displayId, 'held', reason])
      expect((await alice.eventsOf(mission)).map((one) => one.type)).toContain('queue_paused')
      const { rows } = await sql<{ type: string }>`
        select type from webhook_events where mission_id = ${mission.id} and type like 'svc:%'`.execute(
        world.domain.db,
      )
      expect(rows.map(({ type }) => type)).toEqual([
        expect.stringMatching(/^svc:run_(?:failed|lost)$/),
        'svc:queue_paused',
      ])
      // held until a person says so, whatever time does
      await world.connectedRunner({ id: lease.id }, { projectIds: [] })
      expect(await plan()).toBe(0)
    },
  )

  test('is cancelled leaves the queue, and pauses it', { tags: 'large' }, async ({ world }) => {
    const { alice, mission, b, plan, queue, states } = await withPendingAdvance(world)
    await plan()
    const [request] = await alice.requestsOf(mission)
    await alice.call('cancelExecutionRequest', { id: request?.id ?? '' })
    expect(await queue()).toMatchObject({ state: 'paused', pauseReason: 'run_cancelled' })
    expect((await states()).map(([displayId]) => displayId)).not.toContain(b.displayId)
    expect(await alice.objective(b)).toMatchObject({ lastOutcome: 'cancelled', state: 'submitted' })
  })

  test(
    'is given back to the runners is the same dispatch',
    { tags: 'large' },
    async ({ world }) => {
      const { runner, plan, states } = await withPendingAdvance(world)
      await plan()
      await runner.released(await runner.take())
      expect((await states())[0]).toMatchObject([expect.anything(), 'dispatched', null])
      expect(await plan()).toBe(0)
    },
  )

  test(
    'is replaced by another choice is the next attempt of the same entry',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, b, plan, queue } = await withPendingAdvance(world)
      await plan()
      const { executionRequest } = await alice.launch(b, { model: 'big' })
      expect(await queue()).toMatchObject({
        state: 'running',
        entries: [{ attempt: 2, executionRequestId: executionRequest.id }, {}],
      })
    },
  )

  test(
    'was lost and is heard of again takes its entry out',
    { tags: 'large' },
    async ({ world }) => {
      const { plan, work, states, b, alice } = await withPendingAdvance(world)
      await plan()
      const { agent } = await work()
      await world.advance(16 * 60)
      await world.settle()
      await agent.update()
      expect((await alice.objective(b)).state).toBe('executing')
      expect((await states()).map(([displayId]) => displayId)).not.toContain(b.displayId)
    },
  )
})

describe('retrying a held entry', () => {
  async function held(world: World) {
    const at = await withPendingAdvance(world)
    await at.plan()
    await at.runner.failed(await at.runner.take())
    const [entry] = (await at.queue()).entries
    return { ...at, entryId: entry?.id ?? '' }
  }

  test(
    verifies(
      ['tool.svc_manage_run_queue.retry-entry', 'tool.svc_manage_run_queue.retry-no-full-scope'],
      'has it alone launched next, for who retries it, and ends the pause that its run brought; no full scope is needed',
    ),
    async ({ world }) => {
      const { alice, other, b, c, plan, queue, states, runner } = await held(world)
      await alice.call('startRunQueue', { id: (await queue()).id })
      await runner.failed(await runner.take())
      const stays = [b.displayId, 'held', 'run_failed']
      expect(await states()).toEqual([stays, [c.displayId, 'held', 'run_failed']])
      const entryId = (await queue()).entries[1]?.id ?? ''
      const scoped = await world.bob.withToken({
        permissions: ['execution_request:create', 'project:read', 'mission:read'],
      })
      const { entry, queues } = await scoped.tool('svc_manage_run_queue', {
        action: 'retry_entry',
        entryId,
      })
      expect(entry).toMatchObject({ id: entryId, state: 'waiting' })
      expect(queues).toMatchObject([{ pauseReason: null }])
      expect((await states())[0]).toEqual(stays)
      expect(await plan()).toBe(1)
      expect((await alice.requestsOf(other.mission))[0]).toMatchObject({ objectiveId: c.id })
      expect((await queue()).entries[1]).toMatchObject({ state: 'dispatched', attempt: 2 })
      expect((await states())[0]).toEqual(stays)
    },
  )

  test(
    verifies('tool.svc_manage_run_queue.retry-permission', 'takes execution_request:create'),
    async ({ world }) => {
      const { alice, states, entryId } = await held(world)
      const other = await alice.withToken({
        permissions: ['project:update', 'project:read', 'mission:read'],
      })
      await expect(
        other.tool('svc_manage_run_queue', { action: 'retry_entry', entryId }),
      ).rejects.toMatchObject({
        code: 'forbidden',
        details: { permission: 'execution_request:create' },
      })
      expect((await states())[0]).toMatchObject([expect.anything(), 'held', 'run_failed'])
    },
  )

  test('whose checkout is away waits for that, and no start is offered for it', async ({
    world,
  }) => {
    const { alice, project, queue, states, plan, b, entryId } = await held(world)
    await alice.call('removeRunQueueEntry', { id: (await queue()).entries[1]?.id ?? '' })
    await alice.call('linkProjectResource', { id: project.id, resourceKey: 'web' })
    await alice.call('retryRunQueueEntry', { id: entryId })
    await plan()
    expect(await states()).toEqual([[b.displayId, 'waiting', 'resource_not_connected']])
    const { state, nextSteps } = await queue()
    expect([state, nextSteps]).toEqual(['idle', []])
    // what would be offered is refused
    await expect(alice.call('startRunQueue', { id: (await queue()).id })).rejects.toMatchObject({
      code: 'resource_not_connected',
    })
  })

  test('is refused where a person paused the queue, and where nothing is held', async ({
    world,
  }) => {
    const { alice, queue, entryId } = await held(world)
    const { id, entries } = await queue()
    const retry = (one: string) => alice.call('retryRunQueueEntry', { id: one })
    await expect(retry(entries[1]?.id ?? '')).rejects.toMatchObject({ code: 'invalid_transition' })
    await alice.call('pauseRunQueue', { id })
    await expect(retry(entryId)).rejects.toMatchObject({
      code: 'queue_paused',
      next: { operation: 'listRunQueues' },
    })
  })
})

describe('starting a queue', () => {
  test('launches its first waiting entry for whoever starts it, and ends a pause', async ({
    world,
  }) => {
    const { alice, b, c, add, queue } = await scene(world)
    await add(b, c)
    const { id } = await queue()
    await alice.call('pauseRunQueue', { id })
    const started = await world.bob.call('startRunQueue', { id })
    expect(started.executionRequest).toMatchObject({ objectiveId: b.id, source: 'run_queue' })
    expect(started.queue).toMatchObject({
      state: 'running',
      pausedAt: null,
      entries: [{ state: 'dispatched', attempt: 1 }, { state: 'waiting' }],
    })
    await expect(alice.call('startRunQueue', { id })).rejects.toMatchObject({ code: 'queue_busy' })
    const entryId = started.queue.entries[0]?.id ?? ''
    await expect(alice.call('removeRunQueueEntry', { id: entryId })).rejects.toMatchObject({
      code: 'entry_in_flight',
    })
    await expect(
      alice.call('queueObjective', { objectiveId: b.id, front: true }),
    ).rejects.toMatchObject({ code: 'entry_in_flight' })
  })

  test('is refused as the launch would be, and changes nothing', async ({ world }) => {
    const { alice, a, b, add, queue } = await scene(world)
    await add(b)
    await alice.launch(a)
    const { id } = await queue()
    await alice.call('pauseRunQueue', { id })
    const before = await queue()
    await expect(alice.call('startRunQueue', { id })).rejects.toMatchObject({
      code: 'mission_busy',
    })
    expect(await queue()).toEqual(before)
    await expect(world.vera.call('startRunQueue', { id })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('starting a queue whose first entry has no agent', () => {
  test('is refused, and the agent that the step names is what it lacks', async ({ world }) => {
    const { alice, b, add, queue } = await scene(world)
    await alice.call('updateObjective', { id: b.id, assigned_agent: null })
    await add(b)
    const { id, entries } = await queue()
    expect(entries).toMatchObject([{ state: 'waiting', reason: 'no_agent' }])
    const params = { id: b.displayId, assigned_agent: '<key>' }
    await expect(alice.call('startRunQueue', { id })).rejects.toMatchObject({
      code: 'no_agent',
      next: { operation: 'updateObjective', params },
    })
    await alice.call('updateObjective', { ...params, assigned_agent: 'scripted' })
    expect((await queue()).entries).toMatchObject([{ reason: 'turn' }])
    const { executionRequest } = await alice.call('startRunQueue', { id })
    expect(executionRequest).toMatchObject({ objectiveId: b.id, agent: 'scripted' })
  })
})

describe('an entry that cannot be launched now', () => {
  test('says why, is passed over, and keeps its position', { tags: 'large' }, async ({ world }) => {
    const { alice, a, b, c, plan, states, work, add } = await scene(world)
    await add(a, b, c)
    await alice.launch(a)
    const { agent } = await work()
    await alice.call('updateObjective', { id: b.id, instruction: '' })
    await agent.deliver()
    expect(await plan()).toBe(1)
    expect(await states()).toEqual([
      [b.displayId, 'held', 'no_instruction'],
      [c.displayId, 'dispatched', null],
    ])
  })

  test(
    'for a busy mission names what it waits for, and goes once that is over',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, mission, b, plan, queue, work, add } = await scene(world)
      const { objectives } = await alice.call('addObjectives', {
        id: mission.id,
        objectives: [{ instruction: 'x', assigned_agent: 'scripted' }],
      })
      const last = objectives.at(-1)
      const elsewhere = await world.missionWith(['e'], { project })
      const [e] = elsewhere.mission.objectives
      await add(e)
      await alice.call('queueObjective', { objectiveId: last?.id ?? '' })
      await alice.launch(b)
      await work()
      await alice.launch(e)
      await (await work()).agent.deliver()
      expect(await plan()).toBe(0)
      expect((await queue()).entries[0]).toMatchObject({
        state: 'waiting',
        reason: 'mission_busy',
        waitingOn: { type: 'objective', id: b.id },
      })
      expect((await queue()).state).toBe('owing')
    },
  )

  test(
    'because who queued it may no longer launch is held',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, c, plan, states, work, add } = await scene(world)
      const eve = await world.person('member')
      await add(a)
      await eve.call('queueObjective', { objectiveId: c.id })
      await sql`update memberships set role = 'viewer' where user_id = ${eve.userId}`.execute(
        world.domain.db,
      )
      await alice.launch(a)
      await (await work()).agent.deliver()
      expect(await plan()).toBe(0)
      expect(await states()).toEqual([[c.displayId, 'held', 'forbidden']])
    },
  )
})

test(
  'a restored queue whose run is gone is repaired by the sweep',
  { tags: 'large' },
  async ({ world }) => {
    const { alice, b, plan, states, queue } = await withPendingAdvance(world)
    await plan()
    await sql`update execution_requests set status = 'failed', ended_at = app.now()
             where objective_id = ${b.id}`.execute(world.domain.db)
    await sql`update objectives set state = 'submitted', prior_state = null, serial = false
             where id = ${b.id}`.execute(world.domain.db)
    await world.settle()
    expect((await states())[0]).toEqual([b.displayId, 'held', 'run_failed'])
    expect(await queue()).toMatchObject({ state: 'paused', pauseReason: 'run_failed' })
    expect((await alice.objective(b)).state).toBe('submitted')
  },
)
