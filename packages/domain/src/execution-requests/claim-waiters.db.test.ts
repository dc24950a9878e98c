import { randomUUID } from 'node:crypto'
import type { ClaimAnswer } from '@svc/contracts/runner'
import { type Person, personWith } from '@svc/testing/people'
import { type World, test as base } from '@svc/testing/world'
import { describe, expect } from 'vitest'
import type { Actor } from '../common/actor.ts'
import { channels } from '../jobs/wake-hub.ts'
import type { Domain, DomainConfig } from '../domain.ts'
import { claimExecutionRequest } from './claim.ts'
import { countSleeping } from './claim-waiters.ts'

const hour = 3_600_000
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const parallel = { allowParallelObjectives: true }

interface Has {
  agents?: string[]
  /** Keys of usable checkouts. */
  resources?: string[]
  fingerprint?: string
  claimId?: string
  waitSeconds?: number
  projectIds?: string[]
}

/** One process whose polls are hours apart, and runners of alice's that claim there, for as long as it takes. */
interface Waiting {
  domain: Domain
  /** She calls this process. */
  alice: Person
  /** Of a project: one that waits until it has something or its caller goes. */
  wait: (project: { id: string }, has?: Has, signal?: AbortSignal) => Promise<string | undefined>
  /** Until so many claims sleep in this process. */
  asleep: (count: number) => Promise<void>
}

const test = base
  .extend('waiting', async ({ world }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    return opened.use(await openWaiting(world))
  })
  .extend('elsewhere', async ({ world, waiting }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const elsewhere = opened.use(await openWaiting(world))
    await hears(waiting.domain, elsewhere.domain)
    await hears(elsewhere.domain, waiting.domain)
    return elsewhere
  })

async function openWaiting(
  world: World,
  changes: Partial<DomainConfig> = {},
): Promise<Waiting & AsyncDisposable> {
  const domain = await world.openProcess({ pollMs: hour, ...changes })
  const actor = await world.alice.actor()
  const gone = new AbortController()
  const claims = new Set<Promise<unknown>>()
  const wait: Waiting['wait'] = async (project, has = {}, signal = gone.signal) => {
    const any = AbortSignal.any([gone.signal, signal])
    const claim = claimWith({ domain, actor, signal: any }, project, {
      waitSeconds: hour / 1000,
      ...has,
    })
    claims.add(claim)
    return (await claim).request?.objective.id
  }
  return {
    domain,
    alice: personWith(domain, world.alice.token),
    wait,
    asleep: (count) => expect.poll(() => countSleeping(domain)).toBe(count),
    async [Symbol.asyncDispose]() {
      gone.abort()
      await Promise.allSettled(claims)
      await domain[Symbol.asyncDispose]()
    },
  }
}

interface Caller {
  domain: Domain
  actor: Actor
  signal?: AbortSignal
}

function claimWith(
  { actor, ...context }: Caller,
  project: { id: string },
  has: Has,
): Promise<ClaimAnswer> {
  const fingerprint = has.fingerprint ?? `device-${randomUUID()}`
  return claimExecutionRequest(context, actor, {
    claimId: has.claimId ?? randomUUID(),
    projectIds: has.projectIds ?? [project.id],
    device: { fingerprint, label: 'x', platform: 'linux', arch: 'x64' },
    runner: { instanceId: randomUUID(), version: '1.0.0', capacity: { max: 4, running: 0 } },
    agents: (has.agents ?? ['scripted']).map((key) => ({
      key,
      version: null,
      path: `/bin/${key}`,
    })),
    resources: (has.resources ?? []).map((resourceKey) => ({
      projectId: project.id,
      resourceKey,
      path: `/src/${resourceKey}`,
      state: 'usable',
    })),
    waitSeconds: has.waitSeconds ?? 0,
  })
}

/** Told until it is heard: a process that has just opened may not listen yet. */
async function hears(from: Domain, to: Domain): Promise<void> {
  let heard = false
  using _hearing = to.wake.listen(channels.changes, () => (heard = true))
  await expect
    .poll(() => {
      from.wake.tell(channels.changes)
      return heard
    })
    .toBe(true)
}

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

describe('a request', () => {
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
  test('wake a runner of one for what is launched in the other', async ({
    world,
    waiting,
    elsewhere,
  }) => {
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
  })

  test('tell each other of more than a hint can name as of anything', async ({
    waiting,
    elsewhere,
  }) => {
    const heard = Promise.withResolvers<readonly string[]>()
    using _hearing = elsewhere.domain.wake.listen(channels.requests, heard.resolve)
    waiting.domain.wake.tell(
      channels.requests,
      many(300, () => randomUUID()),
    )
    expect(await heard.promise).toEqual([''])
  })

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

  test('find by polling what no hint told of', async ({ world, waiting }) => {
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

  test('gets what it has learnt meanwhile to take', async ({ world, waiting }) => {
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
  })
})
