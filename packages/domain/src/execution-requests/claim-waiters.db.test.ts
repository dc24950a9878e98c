import { randomUUID } from 'node:crypto'
import type { World } from '../testing/world.ts'
import { describe, expect } from 'vitest'
import { channels } from '../jobs/wake-hub.ts'
import type { Domain } from '../domain.ts'
import { countSleeping } from './claim-waiters.ts'
import { many, parallel, test, openWaiting, claimWith } from './testing/waiting.ts'

/** When the runners of this domain were heard of last. */
async function heardOf({ db }: Domain): Promise<string[]> {
  const rows = await db
    .selectFrom('runners')
    .select(['id', 'last_heard_at'])
    .orderBy('id')
    .execute()
  return rows.map((row) => `${row.id} ${row.last_heard_at.toISOString()}`)
}

/** A run whose agent has delivered, but whose exit is not reported: the next one on the branch is its runner's alone. */
async function deliveredOnBranch(world: World) {
  const setUp = { resources: [{ resourceKey: 'web' }] }
  const { alice, mission, project } = await world.missionWith(['one', 'two'], setUp)
  const resources = [{ projectId: project.id, resourceKey: 'web' }]
  const first = await world.connectedRunner(project, { resources })
  await alice.launch(mission.objectives[0])
  const lease = await first.take()
  const start = 'a'.repeat(40)
  await first.launching(lease, 'a-mission', {
    startSha: start,
    baseSha: start,
    missionBranch: 'a-mission',
  })
  await first.launched(lease)
  const agent = first.agent(lease)
  await agent.attach()
  await agent.deliver()
  return { mission, project, first, lease }
}

describe('a request', { tags: 'large' }, () => {
  test('wakes the one waiting runner that has its agent, and none of fifty others', async ({
    world,
    waiting,
  }) => {
    const { mission, project } = await world.missionWith(['write the docs'])
    for (const _ of many(50, Number)) void waiting.wait(project)
    await waiting.asleep(50)
    const rare = waiting.wait(project, { agents: ['scripted', 'rare'] })
    await waiting.asleep(51)
    const before = await heardOf(world.domain)

    await waiting.alice.launch(mission.objectives[0], { agent: 'rare' })

    expect(await rare).toBe(mission.objectives[0].id)
    const moved = (await heardOf(world.domain)).filter((one) => !before.includes(one))
    expect(moved).toHaveLength(1)
    expect(countSleeping(waiting.domain)).toBe(50)
  })

  test('wakes the one runner that may go on with its branch', async ({ world, waiting }) => {
    const { mission, project, first } = await deliveredOnBranch(world)
    void waiting.wait(project, { resources: ['web'] })
    await waiting.asleep(1)
    const own = waiting.wait(project, { resources: ['web'], fingerprint: first.fingerprint })
    await waiting.asleep(2)

    await waiting.alice.launch(mission.objectives[1])

    expect(await own).toBe(mission.objectives[1].id)
    expect(countSleeping(waiting.domain)).toBe(1)
  })

  test('wakes another runner once the run before it on the branch has ended', async ({
    world,
    waiting,
  }) => {
    const { mission, project, first, lease } = await deliveredOnBranch(world)
    const other = waiting.wait(project, { resources: ['web'] })
    await waiting.asleep(1)
    await waiting.alice.launch(mission.objectives[1])
    expect(countSleeping(waiting.domain)).toBe(1)

    await first.exited(lease)

    expect(await other).toBe(mission.objectives[1].id)
  })

  test('that a runner gives back wakes another one', async ({ world, waiting }) => {
    const { mission, project } = await world.missionWith(['write the docs'])
    const first = await world.connectedRunner(project)
    await waiting.alice.launch(mission.objectives[0])
    const lease = await first.take()
    void waiting.wait(project, { fingerprint: first.fingerprint })
    await waiting.asleep(1)
    const other = waiting.wait(project)
    await waiting.asleep(2)

    await first.released(lease, { reason: 'checkout_busy', detail: 'It is in use.' })

    expect(await other).toBe(mission.objectives[0].id)
  })
})

describe('two processes', () => {
  test(
    'wake a runner of one for what is launched in the other',
    { tags: 'large' },
    async ({ world, waiting, elsewhere }) => {
      const { mission, project } = await world.missionWith(['write the docs'])
      for (const process of [waiting, elsewhere]) {
        for (const _ of many(10, Number)) void process.wait(project)
        await process.asleep(10)
      }
      const rare = elsewhere.wait(project, { agents: ['rare'] })
      await elsewhere.asleep(11)

      await waiting.alice.launch(mission.objectives[0], { agent: 'rare' })

      expect(await rare).toBe(mission.objectives[0].id)
      expect([countSleeping(waiting.domain), countSleeping(elsewhere.domain)]).toEqual([10, 10])
    },
  )

  test('tell each other of more than a hint can name as of anything', async ({
    waiting,
    elsewhere,
  }) => {
    const heard = Promise.withResolvers<readonly string[]>()
    using _hearing = elsewhere.domain.wake.listen(channels.requests, heard.resolve)
    waiting.domain.wake.notify(
      channels.requests,
      many(300, () => randomUUID()),
    )
    expect(await heard.promise).toEqual([''])
  })

  test('find by polling what no hint told of', { tags: 'large' }, async ({ world, waiting }) => {
    await using silent = await openWaiting(world, { notify: false, pollMs: 20 })
    const { mission, project } = await world.missionWith(many(4, String), parallel)
    for (const _ of many(10, Number)) void silent.wait(project)
    await silent.asleep(10)
    const rare = many(4, () => silent.wait(project, { agents: ['rare'] }))
    await silent.asleep(14)

    for (const objective of mission.objectives) {
      await waiting.alice.launch(objective, { agent: 'rare' })
    }

    const taken = await Promise.all(rare)
    expect(new Set(taken)).toEqual(new Set(mission.objectives.map(({ id }) => id)))
    expect(countSleeping(silent.domain)).toBe(10)
  })
})

describe('a runner that waits', () => {
  test('under the id of a claim whose run is over does not wait', async ({ world, waiting }) => {
    const { mission, project } = await world.missionWith(['write the docs'])
    const runner = await world.connectedRunner(project)
    const claimId = randomUUID()
    await waiting.alice.launch(mission.objectives[0])
    await runner.failed(await runner.take({ claimId }))

    expect(await waiting.wait(project, { claimId, fingerprint: runner.fingerprint })).toBe(
      undefined,
    )
  })

  test(
    'gets what it has learnt meanwhile to take',
    { tags: 'large' },
    async ({ world, waiting }) => {
      const { mission, project } = await world.missionWith(['one', 'two'], {
        resources: [{ resourceKey: 'web' }],
        ...parallel,
      })
      const connected = await world.connectedRunner(project, {
        resources: [{ projectId: project.id, resourceKey: 'web' }],
      })
      const fingerprint = `device-${randomUUID()}`
      const claims = many(2, () => waiting.wait(project, { fingerprint }))
      await waiting.asleep(2)
      await waiting.alice.launch(mission.objectives[0], { agent: 'rare', resourceKey: 'web' })
      await waiting.alice.launch(mission.objectives[1], { agent: 'rare', resourceKey: 'web' })
      expect(countSleeping(waiting.domain)).toBe(2)

      const actor = await world.alice.actor()
      const has = { agents: ['rare'], resources: ['web'], fingerprint }
      await claimWith({ domain: world.domain, actor }, project, { ...has, projectIds: [] })

      expect(new Set(await Promise.all(claims))).toEqual(
        new Set(mission.objectives.map(({ id }) => id)),
      )
      expect((await connected.claim()).request).toBeNull()
    },
  )
})
