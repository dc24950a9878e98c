import type { Objective } from '@svc/contracts/objective'
import { verifies } from '@svc/testing/verifies'
import { followFeed } from '../testing/follow-feed.ts'
import { type World, test } from '../testing/world.ts'
import { afterEach, describe, expect } from 'vitest'
import { findViolations } from '../entities/run-queues/invariants.ts'
import { advanceQueues } from './planner/planner.ts'

let usedWorld: World | undefined
afterEach(async () => {
  if (usedWorld) expect(await findViolations(usedWorld.domain.db)).toEqual([])
})

async function scene(world: World, count = 3) {
  usedWorld = world
  const instructions = Array.from({ length: count }, (_, index) => `step ${index}`)
  const set = { allowParallelObjectives: true }
  const { alice, project, mission } = await world.missionWith(instructions, set)
  // as many as there are instructions
  const [a, b, c] = mission.objectives as Objective[] as [Objective, Objective, Objective]
  const queues = async () => (await alice.call('listRunQueues', { id: project.id })).queues
  const order = async () =>
    (await queues()).flatMap((queue) => queue.entries.map((entry) => entry.displayId))
  return { alice, project, mission, a, b, c, queues, order }
}

describe('a project', () => {
  test('has a default queue from the beginning', { tags: 'large' }, async ({ world }) => {
    const { queues } = await scene(world)
    expect(await queues()).toMatchObject([
      { name: 'Default', isDefault: true, position: 1, state: 'idle', entries: [] },
    ])
  })
})

test(
  verifies(
    'queue.per-project-order',
    'a queue holds objectives of its own project alone, in an order',
  ),
  async ({ world }) => {
    const { alice, a, b, c, queues, order } = await scene(world)
    for (const { id } of [c, a, b]) await alice.call('queueObjective', { objectiveId: id })
    expect(await order()).toEqual(lettersOf({ a, b, c }, 'c a b'))
    const { mission } = await world.missionWith(['x'])
    const [queue] = await queues()
    const foreign = { objectiveId: mission.objectives[0].id, queue: queue?.id ?? '' }
    await expect(alice.call('queueObjective', foreign)).rejects.toMatchObject({ code: 'not_found' })
    await expect(alice.tool('svc_queue_objective', foreign)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await order()).toEqual(lettersOf({ a, b, c }, 'c a b'))
  },
)

test(
  verifies(
    'queue.no-launch',
    'whatever is done to queues by their tools launches nothing; launching does',
  ),
  async ({ world }) => {
    const { alice, project, mission, a, b, queues } = await scene(world)
    const { objectives } = await alice.call('addObjectives', {
      id: mission.id,
      objectives: [{ instruction: '' }],
    })
    await world.connectedRunner(project)
    for (const { id } of [a, b]) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
    }
    const queueId = (await queues())[0]?.id ?? ''
    const entryIds = async () => (await queues())[0]?.entries.map(({ id }) => id) ?? []
    const projectId = project.id
    const calls = [
      () => alice.tool('svc_queue_objective', { objectiveId: a.id }),
      () => alice.tool('svc_queue_objective', { objectiveId: b.id, front: true }),
      () => alice.tool('svc_list_run_queues', { projectId, view: 'full' }),
      async () => {
        const orderedEntryIds = (await entryIds()).toReversed()
        await alice.tool('svc_reorder_run_queue', { queueId, orderedEntryIds })
      },
      () => alice.tool('svc_manage_run_queue', { action: 'update', queueId, paused: true }),
      () => alice.tool('svc_manage_run_queue', { action: 'update', queueId, paused: false }),
      () => alice.tool('svc_manage_run_queue', { action: 'create', projectId, name: 'Night' }),
      async () => {
        const queueIds = (await queues()).map(({ id }) => id)
        await alice.tool('svc_manage_run_queue', { action: 'reorder_queues', projectId, queueIds })
      },
      async () => {
        // one that is held, for it has no instruction
        await alice.tool('svc_queue_objective', { objectiveId: objectives.at(-1)?.id ?? '' })
        const entryId = (await entryIds()).at(-1) ?? ''
        await alice.tool('svc_manage_run_queue', { action: 'retry_entry', entryId })
      },
      async () => {
        const night = (await queues()).find(({ name }) => name === 'Night')?.id ?? ''
        await alice.tool('svc_manage_run_queue', { action: 'delete', queueId: night })
      },
      () => alice.tool('svc_queue_objective', { objectiveId: b.id, remove: true }),
    ]
    for (const call of calls) {
      await call()
      await advanceQueues(world.domain)
      expect(await alice.requestsOf(mission)).toEqual([])
    }
    await alice.tool('svc_launch_objective', { objectiveId: a.id, agent: 'scripted' })
    expect(await alice.requestsOf(mission)).toHaveLength(1)
  },
)

describe('queueing an objective', () => {
  test(
    verifies(
      'tool.svc_queue_objective.adds',
      'puts it last into the queue of its project, submitted, and launches nothing',
    ),
    async ({ world }) => {
      const { alice, project, mission, a, b, order } = await scene(world)
      // nothing else is missing for a launch
      await alice.call('updateObjective', { id: a.id, assigned_agent: 'scripted' })
      const { queue, entry } = await alice.tool('svc_queue_objective', {
        objectiveId: a.displayId,
      })
      await alice.tool('svc_queue_objective', { objectiveId: b.displayId })

      expect(queue).toMatchObject({ name: 'Default', isDefault: true, state: 'idle' })
      expect(entry).toMatchObject({ objectiveId: a.id, state: 'waiting', reason: 'turn' })
      expect(await order()).toEqual([a.displayId, b.displayId])
      await world.connectedRunner(project)
      await advanceQueues(world.domain)
      expect((await alice.objective(a)).state).toBe('submitted')
      expect(await alice.requestsOf(mission)).toEqual([])
      await alice.launch(a)
      expect((await alice.objective(a)).state).toBe('launching')
      const elsewhere = await world.missionWith(['x'])
      const [others] = (await alice.call('listRunQueues', { id: elsewhere.project.id })).queues
      expect(others?.entries).toEqual([])
      expect(others?.id).not.toBe(queue.id)
      expect(project.id).not.toBe(elsewhere.project.id)
    },
  )

  test(verifies('queue.target-neutral', 'asks for no agent and no machine'), async ({ world }) => {
    const { alice, a } = await scene(world)
    const { entry } = await alice.call('queueObjective', { objectiveId: a.id })
    expect(Object.keys(entry).filter((key) => /agent|runner|resource|device/i.test(key))).toEqual(
      [],
    )
    expect((await alice.objective(a)).assigned_agent).toBeNull()
  })

  test('of one without an instruction holds it until it has one', async ({ world }) => {
    const { alice, mission, queues } = await scene(world)
    const added = await alice.call('addObjectives', {
      id: mission.id,
      objectives: [{ instruction: '' }],
    })
    const blank = added.objectives.at(-1)
    const { entry } = await alice.call('queueObjective', { objectiveId: blank?.id ?? '' })
    expect(entry).toMatchObject({ state: 'held', reason: 'no_instruction' })
    const whole = { instruction: 'write it', assigned_agent: 'scripted' }
    await alice.call('updateObjective', { id: blank?.id ?? '', ...whole })
    expect((await queues())[0]?.entries).toMatchObject([{ state: 'waiting', reason: 'turn' }])
  })

  const positions = [
    ['after', 'behind another one', (at: Three) => ({ after: at.a.displayId }), 'a c b'],
    ['front', 'before all others', () => ({ front: true }), 'c a b'],
    ['position', 'at a position', () => ({ position: 2 }), 'a c b'],
  ] as const
  for (const [argument, where, given, expected] of positions) {
    test(
      verifies(`tool.svc_queue_objective.${argument}`, `puts it ${where} when told so`),
      async ({ world }) => {
        const { alice, a, b, c, order } = await scene(world)
        await alice.tool('svc_queue_objective', { objectiveId: a.id })
        await alice.tool('svc_queue_objective', { objectiveId: b.id })
        await alice.tool('svc_queue_objective', { objectiveId: c.id, ...given({ a, b, c }) })
        expect(await order()).toEqual(lettersOf({ a, b, c }, expected))
      },
    )
  }

  test(
    verifies(
      'tool.svc_queue_objective.moves',
      'again moves it, and leaves it where it is when no position is given',
    ),
    async ({ world }) => {
      const { alice, a, b, c, order } = await scene(world)
      for (const { id } of [a, b, c]) await alice.call('queueObjective', { objectiveId: id })
      await alice.tool('svc_queue_objective', { objectiveId: c.displayId, front: true })
      expect(await order()).toEqual(lettersOf({ a, b, c }, 'c a b'))
      const { order: placed } = await alice.tool('svc_queue_objective', {
        objectiveId: c.displayId,
      })
      expect(placed.map((one) => one.displayId)).toEqual(lettersOf({ a, b, c }, 'c a b'))
    },
  )

  test(
    verifies(
      'tool.svc_queue_objective.queue',
      'into a named queue, by its name or id, moves it there from another',
    ),
    async ({ world }) => {
      const { alice, project, a, queues } = await scene(world)
      const made = await alice.call('createRunQueue', { id: project.id, name: 'Night' })
      await alice.tool('svc_queue_objective', { objectiveId: a.id, queue: 'night' })
      const names = async () =>
        (await queues()).map(({ name, entries }) => `${name} ${entries.length}`)
      expect(await names()).toEqual(['Default 0', 'Night 1'])
      await alice.tool('svc_queue_objective', { objectiveId: a.id, queue: 'Default' })
      expect(await names()).toEqual(['Default 1', 'Night 0'])
      await alice.tool('svc_queue_objective', { objectiveId: a.id, queue: made.queue.id })
      expect(await names()).toEqual(['Default 0', 'Night 1'])
    },
  )

  test(
    verifies(
      'tool.svc_queue_objective.removes',
      'with remove takes it out again, and it is a draft',
    ),
    async ({ world }) => {
      const { alice, a, order } = await scene(world)
      await alice.tool('svc_queue_objective', { objectiveId: a.displayId })
      const { order: left } = await alice.tool('svc_queue_objective', {
        objectiveId: a.displayId,
        remove: true,
      })
      expect([left, await order()]).toEqual([[], []])
      expect((await alice.objective(a)).state).toBe('draft')
    },
  )

  test(
    verifies('tool.svc_queue_objective.permission', 'takes execution_request:create'),
    async ({ world }) => {
      const { alice, a, order } = await scene(world)
      const reader = await alice.withToken({
        permissions: ['project:read', 'mission:read', 'project:update', 'objective:update'],
      })
      const ask = (input: object) =>
        reader.tool('svc_queue_objective', { objectiveId: a.displayId, ...input })
      await expect(ask({})).rejects.toMatchObject({
        code: 'forbidden',
        details: { permission: 'execution_request:create' },
      })
      await alice.call('queueObjective', { objectiveId: a.id })
      await expect(ask({ front: true })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(ask({ remove: true })).rejects.toMatchObject({ code: 'forbidden' })
      expect(await order()).toEqual([a.displayId])
    },
  )

  test('is refused once it has started', async ({ world }) => {
    const { alice, a } = await scene(world)
    await alice.launch(a)
    await expect(alice.call('queueObjective', { objectiveId: a.id })).rejects.toMatchObject({
      code: 'objective_not_launchable',
      details: { state: 'launching' },
    })
  })
})

describe('an entry has gone', () => {
  test(
    'once its objective is launched directly, attached to or sent back',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, b, c, order } = await scene(world)
      for (const { id } of [a, b, c]) await alice.call('queueObjective', { objectiveId: id })
      await alice.launch(a)
      expect(await order()).toEqual(lettersOf({ a, b, c }, 'b c'))
      const { warnings } = await world.agentOf(alice, { objectiveId: b.displayId }).attach()
      expect(warnings).toEqual([
        'It has left the queue Default, which goes on with its next entry once this run delivers.',
      ])
      expect(await order()).toEqual([c.displayId])
      await alice.call('sendBackObjective', { id: c.id })
      expect(await order()).toEqual([])
    },
  )

  test('is told by the launch that took it, to people and to agents', async ({ world }) => {
    const { alice, a, b } = await scene(world)
    for (const { id } of [a, b]) await alice.call('queueObjective', { objectiveId: id })
    const left = async (launch: () => Promise<{ warnings: { code: string }[] }>) =>
      (await launch()).warnings.filter(({ code }) => code === 'left_queue')
    const launch = () => alice.launch(a)
    const message =
      'It has left the queue Default, which goes on with its next entry once this run delivers.'
    const params = { objectiveId: a.displayId, queue: 'Default' }
    const next = { operation: 'queueObjective', params }
    expect(await left(launch)).toEqual([{ code: 'left_queue', message, next }])
    expect(await left(launch)).toEqual([])
    const byTool = { objectiveId: b.displayId, agent: 'scripted' }
    expect(await left(() => alice.tool('svc_launch_objective', byTool))).toEqual([
      {
        code: 'left_queue',
        message: `${message} Should it stop without a delivery, put it back with: svc_queue_objective`,
      },
    ])
  })
})

describe('a complete order', () => {
  test(
    verifies(
      [
        'tool.svc_reorder_run_queue.replaces',
        'tool.svc_reorder_run_queue.every-entry-once',
        'tool.svc_reorder_run_queue.current-order',
      ],
      'is applied in one step, or not at all and answered with the one that stands',
    ),
    async ({ world }) => {
      const { alice, project, a, b, c, queues } = await scene(world)
      for (const { id } of [a, b, c]) await alice.call('queueObjective', { objectiveId: id })
      const [queue] = await queues()
      const ids = queue?.entries.map((entry) => entry.id) ?? []
      const queueId = queue?.id ?? ''
      const ask = (orderedEntryIds: string[], more: object = {}) =>
        alice.tool('svc_reorder_run_queue', { queueId, orderedEntryIds, ...more })

      const reversed = ids.toReversed()
      expect(await ask(reversed)).toMatchObject({ applied: true, currentOrder: reversed })

      const unknown = '00000000-0000-7000-8000-000000000000'
      const standing = { applied: false, currentOrder: reversed, inFlightEntryId: null }
      expect(await ask(ids.slice(1))).toMatchObject({ ...standing, missing: [ids[0]] })
      expect(await ask([...ids, unknown])).toMatchObject({ ...standing, unknown: [unknown] })
      expect(await ask([...ids, ids[0] ?? ''])).toMatchObject(standing)
      const now = `Now it is: ${[c, b, a].map(({ displayId }) => displayId).join(', ')}.`
      expect(await ask(ids, { expectedRevision: 1 })).toMatchObject({
        ...standing,
        reason: `The order was not changed: the queue is at revision ${(queue?.revision ?? 0) + 1}, no longer at 1. ${now}`,
      })
      expect((await queues())[0]?.entries.map((entry) => entry.id)).toEqual(reversed)
      await expect(
        alice.call('orderRunQueueEntries', { id: queueId, orderedEntryIds: [] }),
      ).rejects.toMatchObject({
        code: 'order_conflict',
        details: { currentOrder: reversed, unknown: [] },
        next: { operation: 'listRunQueues', params: { id: project.slug } },
      })
    },
  )

  test(
    verifies('tool.svc_reorder_run_queue.permission', 'takes execution_request:create'),
    async ({ world }) => {
      const { alice, queues } = await scene(world)
      const reader = await alice.withToken({ permissions: ['project:read', 'project:update'] })
      const queueId = (await queues())[0]?.id ?? ''
      await expect(
        reader.tool('svc_reorder_run_queue', { queueId, orderedEntryIds: [] }),
      ).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test('is told with the name of whoever made it', async ({ world }) => {
    const { alice, a, b, queues } = await scene(world)
    for (const { id } of [a, b]) await alice.call('queueObjective', { objectiveId: id })
    const [queue] = await queues()
    const feed = await followFeed(world, alice)
    await world.bob.call('orderRunQueueEntries', {
      id: queue?.id ?? '',
      orderedEntryIds: queue?.entries.map(({ id }) => id).toReversed() ?? [],
    })
    const { data } = await feed.change({ entity: 'run_queue', operation: 'order' })
    const { userId } = await world.bob.actor()
    expect(data.data).toMatchObject({ byId: userId, byName: 'bob', name: 'Default' })
    await feed.close()
  })

  test(
    'is one of many that are asked for at once, and nobody meets a deadlock',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, a, b, c, queues } = await scene(world)
      for (const { id } of [a, b, c]) await alice.call('queueObjective', { objectiveId: id })
      const [queue] = await queues()
      const ids = queue?.entries.map((entry) => entry.id) ?? []
      const turned = (by: number) => [...ids.slice(by), ...ids.slice(0, by)]
      await Promise.all([
        ...Array.from({ length: 8 }, (_, index) =>
          alice.call('orderRunQueueEntries', {
            id: queue?.id ?? '',
            orderedEntryIds: turned(index % 3),
          }),
        ),
        ...[a, b, c].map(({ id }) =>
          alice.call('queueObjective', { objectiveId: id, front: true }),
        ),
      ])
      expect((await queues())[0]?.entries.map((entry) => entry.id).toSorted()).toEqual(
        ids.toSorted(),
      )
    },
  )
})

type Three = Record<'a' | 'b' | 'c', Objective>

function lettersOf(of: Three, letters: string): string[] {
  // each letter is one of its keys
  return letters.split(' ').map((letter) => of[letter as keyof Three].displayId)
}
