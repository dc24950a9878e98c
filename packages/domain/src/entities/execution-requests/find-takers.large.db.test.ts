import { type TestRunner, leaseOf } from '../../testing/runner.ts'
import { type World, test } from '../../testing/world.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { findTakers, findTakersOf } from './find-takers.ts'
import type { Claimer } from './takeable.ts'

const agents = ['scripted', 'rare']

interface Kind {
  agents: string[]
  /** Keys of usable checkouts. */
  checkouts: string[]
  scope: string[] | 'all'
  label?: string
}

/** Requests for every agent in every partition, some of them kept from a runner for a while, and runners of every kind. */
async function everyKind(world: World) {
  const resources = [{ resourceKey: 'web' }, { resourceKey: 'api' }]
  const [linked, bare] = [await world.projectWith(resources), await world.projectWith()]
  const connect = async ({ checkouts, scope, ...kind }: Kind) => {
    const held = checkouts.map((resourceKey) => ({ projectId: linked.id, resourceKey }))
    const setUp = { ...kind, projectIds: scope, resources: held }
    return { runner: await world.connectedRunner(linked, setUp), scope }
  }
  const whole = await connect({ agents, checkouts: ['web', 'api'], scope: 'all' })
  const launch = async (agent: string) => {
    for (const { project, ...choice } of [
      { project: linked, resourceKey: 'web' },
      { project: bare },
    ]) {
      const { mission } = await world.missionWith(['one'], { project })
      await world.alice.launch(mission.objectives[0], { agent, ...choice })
    }
  }
  await launch('rare')
  await giveBack(world, whole.runner, 'rare')
  const nexts: { objective: { id: string }; resourceKey: string }[] = []
  for (const { resourceKey } of resources) {
    const { mission } = await world.missionWith(['one', 'two'], { project: linked })
    await deliverOnBranch(world, whole.runner, mission.objectives[0], resourceKey)
    nexts.push({ objective: mission.objectives[1], resourceKey })
  }
  for (const { objective, resourceKey } of nexts)
    await world.alice.launch(objective, { resourceKey })
  await launch('scripted')
  for (const runner of ['attic', 'nowhere']) {
    const { mission } = await world.missionWith(['one'], { project: bare })
    await world.alice.launch(mission.objectives[0], { runner })
  }
  const runners = [whole]
  const kinds: Kind[] = [
    { agents, checkouts: ['web', 'api'], scope: [linked.id] },
    { agents, checkouts: ['web'], scope: 'all' },
    { agents, checkouts: [], scope: [linked.id, bare.id], label: 'attic' },
    { agents: ['scripted'], checkouts: ['api', 'web'], scope: [linked.id, bare.id] },
    { agents: ['rare'], checkouts: ['web'], scope: [bare.id] },
    { agents: [], checkouts: ['web'], scope: 'all' },
    { agents, checkouts: ['web'], scope: [] },
  ]
  for (const kind of kinds) runners.push(await connect(kind))
  return runners
}

/** The two for this agent; the runner leaves them alone for longer than the test lasts. */
async function giveBack({ domain }: World, runner: TestRunner, agent: string): Promise<void> {
  const agents = [{ key: agent, version: null, path: `/bin/${agent}` }]
  const leases = [await runner.take({ agents }), await runner.take({ agents })]
  for (const lease of leases) await runner.released(lease, { reason: 'checkout_busy' })
  await sql`
    update execution_requests
       set waits = jsonb_set(waits, array[(select jsonb_object_keys(waits)), 'until'], '"2100-01-01"')
     where waits <> '{}'`.execute(domain.db)
  await runner.claim({ projectIds: [] })
}

/** The run is delivered but not over, so that the next one on its branch is this runner's alone. */
async function deliverOnBranch(
  world: World,
  runner: TestRunner,
  objective: { id: string },
  resourceKey: string,
): Promise<void> {
  await world.alice.launch(objective, { resourceKey })
  const lease = await runner.take()
  const start = 'a'.repeat(40)
  const branch = { startSha: start, missionBranch: 'a-mission', baseSha: start }
  await runner.launching(lease, 'a-mission', branch)
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  await agent.deliver()
}

/** All that it gets, claim by claim; given back then, so that the next one finds the same. */
async function takeAll(runner: TestRunner): Promise<string[]> {
  const taken = []
  for (let answer = await runner.claim(); answer.request; answer = await runner.claim()) {
    taken.push(leaseOf(answer))
  }
  for (const lease of taken) await runner.released(lease, { reason: 'runner_draining' })
  return taken.map(({ id }) => id)
}

test('a waiting runner is found for the requests that its claims would take, and for no other', async ({
  world,
}) => {
  const runners = await everyKind(world)
  const { db } = world.domain
  const ids = await db.selectFrom('runners').select(['id', 'fingerprint']).execute()
  const waiting = runners.map(({ runner, scope }): Claimer => {
    const runnerId = ids.find((one) => one.fingerprint === runner.fingerprint)?.id ?? ''
    return {
      workspaceId: world.workspaceId,
      runnerId,
      projectIds: scope === 'all' ? null : scope,
    }
  })
  const everywhere = await findTakers(db, waiting, [])
  const queued = await db
    .selectFrom('execution_requests')
    .select(['workspace_id', 'id'])
    .where('status', '=', 'queued')
    .execute()
  const named = await findTakersOf(db, waiting, queued)

  const found = new Set<string>()
  for (const [n, { runner }] of runners.entries()) {
    const claimed = await takeAll(runner)
    for (const id of claimed) found.add(id)
    const of = (takers: typeof everywhere) =>
      takers.filter((one) => one.n === n).map((one) => one.id)
    expect(of(everywhere), `the look for anything, of runner ${n}`).toEqual(claimed)
    expect(of(named), `the look for those named, of runner ${n}`).toEqual(claimed)
  }
  expect(found.size).toBe(7)
})

test('what is left out of a look makes room for what is behind it', async ({ world }) => {
  const many = Array.from({ length: 12 }, (_, index) => `step ${index}`)
  const { alice, mission, project } = await world.missionWith(many, {
    allowParallelObjectives: true,
  })
  const runner = await world.connectedRunner(project)
  const { db } = world.domain
  const { id: runnerId } = await db
    .selectFrom('runners')
    .select('id')
    .where('fingerprint', '=', runner.fingerprint)
    .executeTakeFirstOrThrow()
  for (const objective of mission.objectives) await alice.launch(objective)
  const waiting = [{ workspaceId: world.workspaceId, runnerId, projectIds: [project.id] }]

  const first = (await findTakers(db, waiting, [])).map(({ id }) => id)
  const rest = (await findTakers(db, waiting, first)).map(({ id }) => id)

  expect(first.length).toBeLessThan(12)
  expect([...first, ...rest]).toEqual(await takeAll(runner))
})
