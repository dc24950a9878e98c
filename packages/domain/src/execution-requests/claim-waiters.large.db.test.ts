import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { countSleeping } from './claim-waiters.ts'
import { many, parallel, test } from './testing/waiting.ts'

describe('a request', () => {
  test('wakes the one that has its checkout', async ({ world, waiting }) => {
    const { mission, project } = await world.missionWith(['write the docs'], {
      resources: [{ resourceKey: 'web' }, { resourceKey: 'api' }],
    })
    for (const resources of many(20, (index) => (index % 2 ? [] : ['api']))) {
      void waiting.wait(project, { resources })
    }
    await waiting.asleep(20)
    const web = waiting.wait(project, { resources: ['api', 'web'] })
    await waiting.asleep(21)

    await waiting.alice.launch(mission.objectives[0], { resourceKey: 'web' })

    expect(await web).toBe(mission.objectives[0].id)
  })

  test('wakes the one that asks for its project', async ({ world, waiting }) => {
    const other = await world.projectWith()
    const { mission, project } = await world.missionWith(['write the docs'])
    for (const _ of many(20, Number)) void waiting.wait(other)
    await waiting.asleep(20)
    const here = waiting.wait(project, { projectIds: [other.id, project.id] })
    await waiting.asleep(21)

    await waiting.alice.launch(mission.objectives[0])

    expect(await here).toBe(mission.objectives[0].id)
  })
})

describe('two processes', () => {
  test('give each of many requests to one runner that has its agent', async ({
    world,
    waiting,
    elsewhere,
  }) => {
    const { mission, project } = await world.missionWith(many(12, String), parallel)
    const agents = ['scripted', 'rare', 'other']
    const agentOf = (index: number) => agents[index % 3] ?? ''
    const claims = [waiting, elsewhere].flatMap((process) =>
      many(9, (index) => process.wait(project, { agents: [agentOf(index)] })),
    )
    await Promise.all([waiting.asleep(9), elsewhere.asleep(9)])
    const answered: string[] = []
    for (const claim of claims) void claim.then((id) => id !== undefined && answered.push(id))

    await Promise.all(
      mission.objectives.map((objective, index) =>
        (index % 2 ? waiting : elsewhere).alice.launch(objective, { agent: agentOf(index) }),
      ),
    )

    await expect.poll(() => answered.length).toBe(12)
    expect(new Set(answered)).toEqual(new Set(mission.objectives.map(({ id }) => id)))
    await expect.poll(() => countSleeping(waiting.domain) + countSleeping(elsewhere.domain)).toBe(6)
  })
})

describe('a runner that waits', () => {
  test('and comes too late goes on waiting, and gets the next', async ({ world, waiting }) => {
    const { mission, project } = await world.missionWith(many(6, String), parallel)
    const quick = await world.connectedRunner(project)
    for (const objective of mission.objectives.slice(0, 5)) {
      const claim = waiting.wait(project)
      await waiting.asleep(1)
      const launched = waiting.alice.launch(objective)
      const raced = await Promise.all([quick.claim(), launched, quick.claim(), quick.claim()])
      const isLost = raced.some((one) => 'request' in one && one.request !== null)
      if (!isLost) expect(await claim).toBe(objective.id)
      else {
        const next = await world.missionWith(['next'], { project })
        await waiting.alice.launch(next.mission.objectives[0])
        expect(await claim).toBe(next.mission.objectives[0].id)
      }
    }
  })

  test('gets in the end what an earlier call under its claim id has taken since', async ({
    world,
    waiting,
  }) => {
    const { mission, project } = await world.missionWith(['write the docs'])
    const same = { claimId: randomUUID(), fingerprint: `device-${randomUUID()}` }
    const earlier = waiting.wait(project, same)
    await waiting.asleep(1)
    // its caller heard nothing of the first, which the service has not noticed
    const again = waiting.wait(project, { ...same, waitSeconds: 20 })
    await waiting.asleep(2)
    await waiting.alice.launch(mission.objectives[0])
    expect(await earlier).toBe(mission.objectives[0].id)
    expect(await again).toBe(mission.objectives[0].id)
  })

  test('and takes an older one leaves to another what it was woken for', async ({
    world,
    waiting,
  }) => {
    const { mission, project } = await world.missionWith(['older', 'newer'], parallel)
    const agents = ['scripted', 'rare']
    const first = await world.connectedRunner(project, { agents })
    await waiting.alice.launch(mission.objectives[0], { agent: 'rare' })
    // as often as it takes to leave it alone for longer than this test lasts
    for (const seconds of [5, 10, 20, 0]) {
      await first.released(await first.take(), { reason: 'checkout_busy' })
      await world.advance(seconds)
    }
    const both = waiting.wait(project, { agents, fingerprint: first.fingerprint })
    await waiting.asleep(1)
    const other = waiting.wait(project)
    await waiting.asleep(2)
    await world.advance(40)

    await waiting.alice.launch(mission.objectives[1])

    expect(await both).toBe(mission.objectives[0].id)
    expect(await other).toBe(mission.objectives[1].id)
  })
})
