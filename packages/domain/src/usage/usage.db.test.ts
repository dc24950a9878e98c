import type { UsageGroup } from '@svc/contracts/usage'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { type World, test } from '../testing/world.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { tokenForObjective } from '../testing/stored.ts'

/** A project with a mission of two objectives, and a runner that takes what is launched in it. */
async function scene(world: World) {
  const { alice, project, mission } = await world.missionWith(['one', 'two'], {
    allowParallelObjectives: true,
  })
  const runner = await world.connectedRunner(project)
  const sums = async (by: readonly UsageGroup[], more: object = {}) =>
    (await alice.call('getUsage', { projectId: project.id, by: by.join(','), ...more })).rows
  return { alice, project, mission, runner, sums }
}

const unknown = { runsOfUnknownCost: 1, runsOfUnknownTokens: 1, usd: '0', inputTokens: 0 }

describe('what a run has used', () => {
  test(
    'is counted once in the run, its objective, its mission and its week, however often it is reported',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, runner, sums } = await scene(world)
      const [one, two] = mission.objectives
      const { lease, agent } = await world.attachedRun(one, runner)
      await agent.deliver()
      await world.advance(90)
      const usage = { inputTokens: 1_000, outputTokens: 20, usd: '0.1' }
      await runner.exited(lease, { usage })
      await runner.exited(lease, { usage: { usd: '5' } })
      const other = await world.attachedRun(two, runner)
      await runner.exited(other.lease, { usage: { inputTokens: 7, usd: '0.2' } })

      const first = await alice.request(lease)
      expect(first).toMatchObject({ usage })
      expect(first.seconds).toBeGreaterThanOrEqual(90)
      const known = { runsOfUnknownCost: 0, runsOfUnknownTokens: 0 }
      const now = await alice.mission(mission)
      const all = { ...known, runs: 2, inputTokens: 1_007, outputTokens: 20, usd: '0.3' }
      expect(now).toMatchObject({ launches: 2, usage: all })
      expect(now.objectives[0]?.usage).toMatchObject({ ...known, runs: 1, ...usage })
      expect(now.objectives[1]?.usage).toMatchObject({ runs: 1, inputTokens: 7, usd: '0.2' })
      // not by week: that of a launch may be over before the next
      const [sum, ...others] = await sums(['agent', 'model'])
      expect(await sums(['agent'], { ownModel: 'true' })).toMatchObject([all])
      expect(sum).toMatchObject({
        ...all,
        agent: 'scripted',
        model: null,
        seconds: now.usage.seconds,
      })
      expect(others).toEqual([])
    },
  )

  test('is unknown where its agent does not say it, and never 0', async ({ world }) => {
    const { alice, mission, runner, sums } = await scene(world)
    const [one, two] = mission.objectives
    const silent = await world.attachedRun(one, runner)
    await runner.exited(silent.lease)
    const tells = await world.attachedRun(two, runner)
    await runner.exited(tells.lease, { usage: { usd: '1.000001' } })
    expect((await alice.request(silent.lease)).usage).toBeNull()
    expect((await alice.objective(one)).usage).toMatchObject({ runs: 1, ...unknown })
    expect(await sums(['project'])).toMatchObject([
      { runs: 2, runsOfUnknownCost: 1, runsOfUnknownTokens: 2, usd: '1.000001' },
    ])
  })

  test('counts as unknown once a run is lost, and as what is reported then', async ({ world }) => {
    const { alice, mission, runner } = await scene(world)
    const [one] = mission.objectives
    const { lease } = await world.attachedRun(one, runner)
    await world.advance(16 * 60)
    await world.settle()
    expect((await alice.mission(mission)).usage).toMatchObject({ runs: 1, ...unknown })
    await runner.exited(lease, { usage: { inputTokens: 3, usd: '0.5' } })
    expect((await alice.mission(mission)).usage).toMatchObject({
      runs: 1,
      runsOfUnknownCost: 0,
      runsOfUnknownTokens: 0,
      inputTokens: 3,
      usd: '0.5',
    })
  })

  test(
    'counts as unknown where a delivered run is never reported over, and where no agent was started',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, runner, sums } = await scene(world)
      const [one, two] = mission.objectives
      const { agent } = await world.attachedRun(one, runner)
      await agent.deliver()
      await alice.launch(two)
      await runner.failed(await runner.take())
      expect(await alice.mission(mission)).toMatchObject({
        launches: 2,
        usage: { runs: 1, ...unknown },
      })
      await world.advance(30 * 60)
      await world.settle()
      expect((await alice.mission(mission)).usage.runs).toBe(2)
      expect(await sums(['week'])).toMatchObject([{ runs: 2, ends: { delivered: 1, failed: 1 } }])
      // a launch that no runner took is no run, as it is none for a budget
      await alice.launch(two)
      await alice.call('cancelObjective', { id: two.id })
      expect(await alice.mission(mission)).toMatchObject({ launches: 2, usage: { runs: 2 } })
    },
  )

  test(
    'adds up exactly where many runs end at once, and each ends',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, project, runner, sums } = await scene(world)
      const missions = await Promise.all(
        [1, 2, 3, 4].map(() => world.missionWith(['x'], { project })),
      )
      const leases = []
      for (const { mission } of missions) {
        leases.push((await world.attachedRun(mission.objectives[0], runner)).lease)
      }
      await Promise.all(leases.map((lease) => runner.exited(lease, { usage: { usd: '0.1' } })))
      expect(await sums(['week'])).toMatchObject([{ runs: 4, usd: '0.4', runsOfUnknownTokens: 4 }])
      for (const { mission } of missions) {
        expect((await alice.mission(mission)).usage).toMatchObject({ runs: 1, usd: '0.1' })
      }
    },
  )

  test('is that of all tries of a run together', { tags: 'large' }, async ({ world }) => {
    const { alice, mission, runner } = await scene(world)
    const [one] = mission.objectives
    const { lease } = await world.attachedRun(one, runner)
    await runner.exited(lease)
    await alice.resume(one)
    // a conversation that is no longer there is begun anew
    const first = await runner.take()
    await runner.launching(first)
    await runner.launched(first)
    await runner.exited(first, { usage: { usd: '0.1', inputTokens: 1 } })
    const second = await runner.take()
    await runner.launching(second)
    await runner.launched(second)
    await runner.agent(second).attach()
    await runner.exited(second, { usage: { usd: '0.2' } })
    expect((await alice.request(second)).usage).toEqual({ inputTokens: 1, usd: '0.3' })
    expect((await alice.mission(mission)).usage).toMatchObject({
      runs: 2,
      runsOfUnknownCost: 1,
      usd: '0.3',
    })
  })
})

describe('what an agent says of a whole conversation', () => {
  const told = (usd: string) => ({
    conversation: { externalSessionId: 'native-1', usage: { usd } },
  })

  test(
    'is counted once in all sums, whatever becomes of a run in its middle, and however often it is reported',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, runner, sums } = await scene(world)
      const [one] = mission.objectives
      const first = await world.attachedRun(one, runner)
      await runner.exited(first.lease, { ...told('0.1'), usage: { inputTokens: 5 } })
      const goOn = async () => {
        await alice.resume(one)
        const lease = await runner.take()
        await runner.launching(lease)
        await runner.launched(lease)
        await runner.agent(lease).attach()
        return lease
      }
      await goOn()
      await world.advance(16 * 60)
      await world.settle()
      const third = await goOn()
      for (const usd of ['0.4', '9']) {
        await runner.exited(third, { ...told(usd), usage: { inputTokens: 7 } })
      }

      expect((await alice.request(first.lease)).usage).toEqual({ usd: '0.1', inputTokens: 5 })
      expect((await alice.request(third)).usage).toEqual({ usd: '0.3', inputTokens: 7 })
      const all = { runs: 3, runsOfUnknownCost: 1, usd: '0.4', inputTokens: 12 }
      const now = await alice.mission(mission)
      expect(now.usage).toMatchObject(all)
      expect(now.objectives[0]?.usage).toMatchObject(all)
      expect(await sums(['agent'])).toMatchObject([all])
    },
  )

  test('is of each objective by itself', async ({ world }) => {
    const { alice, mission, runner } = await scene(world)
    for (const objective of mission.objectives) {
      const { lease } = await world.attachedRun(objective, runner)
      await runner.exited(lease, told('0.5'))
    }
    expect((await alice.mission(mission)).usage).toMatchObject({ runs: 2, usd: '1' })
  })
})

describe('how runs ended', () => {
  const ends = (more: object) => ({
    ends: { delivered: 0, exited: 0, lost: 0, cancelled: 0, failed: 0, ...more },
  })

  test(
    'is summed with what they used, each run once by how it stands',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission, runner, sums } = await scene(world)
      const [one, two] = mission.objectives
      const delivered = await world.attachedRun(one, runner)
      await delivered.agent.deliver()
      await runner.exited(delivered.lease)
      const exited = await world.attachedRun(two, runner)
      await runner.exited(exited.lease)
      expect(await sums(['agent'])).toMatchObject([
        { runs: 2, ...ends({ delivered: 1, exited: 1 }) },
      ])

      const cancelled = await world.attachedRun(two, runner)
      await alice.call('cancelObjective', { id: two.id })
      await runner.exited(cancelled.lease, { cause: 'cancelled' })
      const unattached = await world.startedRun(two, runner)
      await runner.exited(unattached.lease)
      const all = { delivered: 1, exited: 1, cancelled: 1, failed: 1 }
      expect(await sums(['agent'])).toMatchObject([{ runs: 4, ...ends(all) }])
    },
  )

  test(
    'is another once a run that was held lost is heard again',
    { tags: 'large' },
    async ({ world }) => {
      const { mission, runner, sums } = await scene(world)
      const [one] = mission.objectives
      const { lease, agent } = await world.attachedRun(one, runner)
      await world.advance(16 * 60)
      await world.settle()
      expect(await sums(['week'])).toMatchObject([{ runs: 1, ...ends({ lost: 1 }) }])
      await agent.update()
      expect(await sums(['week'])).toMatchObject([{ runs: 1, ...ends({}) }])
      await agent.deliver()
      await runner.exited(lease)
      expect(await sums(['week'])).toMatchObject([{ runs: 1, ...ends({ delivered: 1 }) }])
    },
  )

  test('is none for one whose try goes on elsewhere', async ({ world }) => {
    const { mission, runner, sums } = await scene(world)
    const { lease } = await world.startedRun(mission.objectives[0], runner)
    await runner.exited(lease, { cause: 'runner_stopped', usage: { usd: '0.1' } })
    expect(await sums(['agent'])).toMatchObject([{ runs: 1, usd: '0.1', ...ends({}) }])
  })
})

describe('sums of usage', { tags: 'large' }, () => {
  test('are grouped and filtered, in pages, with a total over all of them', async ({ world }) => {
    const { alice, project, mission, runner, sums } = await scene(world)
    for (const [model, usd] of [
      ['large', '1'],
      ['small', '0.25'],
      ['large', '2'],
    ] as const) {
      const { objectives } = await alice.call('addObjectives', {
        id: mission.id,
        objectives: [{ instruction: 'more' }],
      })
      const added = objectives.findLast(({ instruction }) => instruction === 'more')
      await alice.launch(added ?? mission.objectives[0], { model })
      const lease = await runner.take()
      await runner.launching(lease)
      await runner.launched(lease)
      await runner.agent(lease).attach()
      await runner.exited(lease, { usage: { usd } })
    }
    expect(await sums(['model'])).toMatchObject([
      { model: 'large', runs: 2, usd: '3' },
      { model: 'small', runs: 1, usd: '0.25' },
    ])
    expect(await sums(['agent'], { model: 'small' })).toMatchObject([
      { agent: 'scripted', usd: '0.25' },
    ])
    expect(await sums(['agent'], { agent: 'codex' })).toEqual([])
    expect(await sums(['agent'], { ownModel: 'true' })).toEqual([])
    expect(await sums(['week'], { since: '2020-01-01', until: '2020-12-31' })).toEqual([])
    const asked = { projectId: project.id, by: 'model', limit: 1 }
    const page = await alice.call('getUsage', asked)
    expect(page).toMatchObject({ rows: [{ model: 'large' }], total: { runs: 3, usd: '3.25' } })
    const next = await alice.call('getUsage', { ...asked, cursor: page.nextCursor ?? '' })
    expect(next.rows).toMatchObject([{ model: 'small' }])
    expect(next.nextCursor).toBeUndefined()
    const [row] = await sums(['project', 'week'])
    expect(row).toMatchObject({
      project: { id: project.id, slug: project.slug },
      week: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    await expect(alice.call('getUsage', { cursor: 'x' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('are of the projects that a token sees, and of none for the token of a run', async ({
    world,
  }) => {
    const { alice, project, mission, runner } = await scene(world)
    const [one] = mission.objectives
    const elsewhere = await world.projectWith()
    const { lease } = await world.attachedRun(one, runner)
    await runner.exited(lease)
    const bound = await alice.withToken({ preset: 'read_only', projectIds: [elsewhere.id] })
    expect(await bound.call('getUsage', {})).toMatchObject({ rows: [], total: { runs: 0 } })
    await expect(bound.call('getUsage', { projectId: project.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await world.carla.call('getUsage', {})).rows).toEqual([])
    const run = await tokenForObjective(world, alice, one)
    await expect(run.call('getUsage', {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('go after two years', async ({ world }) => {
    const { runner, mission, sums } = await scene(world)
    const { lease } = await world.attachedRun(mission.objectives[0], runner)
    await runner.exited(lease)
    await sql`update usage_weeks set week = week - interval '106 weeks'`.execute(world.domain.db)
    await purgeExpired(world.domain, 'each hour')
    expect(await sums(['week'], { since: '2000-01-01' })).toEqual([])
  })
})
