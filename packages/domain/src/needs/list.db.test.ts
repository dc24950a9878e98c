import { limits } from '@svc/contracts/limits'
import type { Need } from '@svc/contracts/need'
import { commandOf } from '@svc/contracts/next-step'
import type { RouteRequest } from '@svc/contracts/rest'
import { describe, expect } from 'vitest'
import { advanceQueues } from '../run-queues/planner/planner.ts'
import type { Person } from '../testing/people.ts'
import { test } from '../testing/hooked-world.ts'
import type { World } from '../testing/world.ts'

type Query = RouteRequest<'listNeeds'>

/** What waits, and the command that it names. */
async function listed(person: Person, query: Query): Promise<string[]> {
  const { needs } = await person.call('listNeeds', query)
  return needs.map((need) => `${need.kind} ${nameOf(need)} -> ${need.next && commandOf(need.next)}`)
}

function nameOf(need: Need): string {
  if ('objective' in need) return need.objective.displayId
  if ('mission' in need) return need.mission.displayId
  if (need.kind === 'paused_queue') return need.queue.name
  return need.kind === 'ending_token' ? need.token.label : need.webhook.name
}

/** A launcher, a project of its own, and a runner. */
async function scene(world: World, setUp: Parameters<World['missionWith']>[1] = {}) {
  const { mission, project } = await world.missionWith(['a', 'b'], setUp)
  const launcher = await world.person('member')
  const runner = await world.connectedRunner(project)
  const [objective, next] = mission.objectives
  const attached = async () => {
    await launcher.launch(objective)
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    return { lease, agent }
  }
  const mine = () => listed(launcher, { projectId: project.slug })
  return { launcher, mission, project, runner, objective, next, attached, mine }
}

describe('whoever launched finds what waits for them, until its cause has gone:', () => {
  test('a question, with its options', { tags: 'large' }, async ({ world }) => {
    const { launcher, project, objective, attached, mine } = await scene(world)
    const { agent } = await attached()
    const options = [{ id: 'tabs', label: 'Tabs' }]
    const { questionId } = await agent.ask({ options })
    const id = objective.displayId
    expect(await mine()).toEqual([`question ${id} -> svc questions answer ${id} --option tabs`])
    const { needs, counts } = await launcher.call('listNeeds', { projectId: project.id })
    expect(needs).toMatchObject([
      {
        id: questionId,
        mine: true,
        since: expect.any(String),
        project: { slug: project.slug },
        objective: { id: objective.id, title: objective.title },
        question: { question: 'Tabs or spaces?', options, agentIdentifier: 'scripted' },
        runner: 'workbench',
      },
    ])
    expect(counts).toMatchObject({ question: { mine: 1, all: 1 }, review: { mine: 0, all: 0 } })
    await launcher.answer(questionId)
    expect(await mine()).toEqual([])
  })

  test(
    'a mission in review, with how much there is to look at',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, project, mission, runner, attached, mine } = await scene(world)
      const { agent, lease } = await attached()
      const stat = [
        { filePath: 'a.ts', additions: 3, deletions: 1 },
        { filePath: 'b.png', additions: null, deletions: null },
      ]
      await runner.diff(lease, { stat })
      await agent.deliver({ report: { humanActions: [{ action: 'Rotate the key' }] } })
      const [line] = await mine()
      expect(line).toBe(`review ${mission.displayId} -> svc review ${mission.displayId}`)
      const { needs } = await launcher.call('listNeeds', { projectId: project.id })
      expect(needs[0]).toMatchObject({
        mission: { id: mission.id, title: mission.title },
        delivery: { files: 2, additions: 3, deletions: 1, checks: null, humanActions: 1 },
      })
      await launcher.call('acceptMission', { id: mission.id })
      expect(await mine()).toEqual([])
    },
  )

  test('an objective that awaits approval, and why', { tags: 'large' }, async ({ world }) => {
    const { launcher, project, mission, next, attached, mine } = await scene(world, {
      auto_advance: true,
    })
    const { agent } = await attached()
    await launcher.call('updateMission', { id: mission.id, budget: { runs: 1 } })
    await agent.deliver()
    const id = next.displayId
    const raising = `svc missions edit ${mission.displayId} --budget-runs <runs>`
    expect(await mine()).toContain(`approval ${id} -> ${raising}`)
    const { needs } = await launcher.call('listNeeds', { projectId: project.id })
    expect(needs.find(({ kind }) => kind === 'approval')).toMatchObject({
      refusal: { code: 'budget_exhausted' },
    })
    await launcher.call('moveMission', { id: mission.id, statusId: 'complete' })
    expect(await mine()).toEqual([])
    await launcher.call('moveMission', { id: mission.id, statusId: 'execute' })
    expect(await mine()).toEqual([`approval ${id} -> ${raising}`])
    await launcher.call('sendBackObjective', { id })
    expect(await mine()).toEqual([])
  })

  test('a run that failed: until it is launched again', { tags: 'large' }, async ({ world }) => {
    const { launcher, project, runner, objective, mine } = await scene(world)
    const { executionRequest } = await launcher.launch(objective)
    await runner.failed(await runner.take())
    const id = objective.displayId
    expect(await mine()).toEqual([`stopped_run ${id} -> svc launch ${id} --agent scripted`])
    const { needs } = await launcher.call('listNeeds', { projectId: project.id })
    expect(needs[0]).toMatchObject({
      run: { id: executionRequest.id, agent: 'scripted', state: 'failed' },
      reason: 'agent_not_found: It is not installed.',
    })
    await launcher.launch(objective)
    expect(await mine()).toEqual([])
  })

  test(
    'one that ended without a delivery: until it goes on',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, runner, objective, attached, mine } = await scene(world)
      const { lease } = await attached()
      await runner.exited(lease)
      expect(await mine()).toEqual([
        `stopped_run ${objective.displayId} -> svc resume ${objective.displayId}`,
      ])
      await launcher.resume(objective)
      expect(await mine()).toEqual([])
    },
  )

  test(
    'one that was lost: until it is heard of again, and anew when it is lost again',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, mission, objective, attached, mine } = await scene(world)
      const { agent } = await attached()
      const lose = async () => {
        await world.advance(1000)
        await world.settle()
      }
      await lose()
      const lost = [`stopped_run ${objective.displayId} -> svc resume ${objective.displayId}`]
      expect(await mine()).toEqual(lost)
      await agent.update()
      expect(await mine()).toEqual([])
      await lose()
      expect(await mine()).toEqual(lost)
      await launcher.call('moveMission', { id: mission.id, statusId: 'cancelled' })
      expect(await mine()).toEqual([])
      await launcher.call('moveMission', { id: mission.id, statusId: 'execute' })
      expect(await mine()).toEqual([])
    },
  )

  test('one whose question was open for too long', { tags: 'large' }, async ({ world }) => {
    const { launcher, objective, attached, mine } = await scene(world)
    await (await attached()).agent.ask()
    await world.advance(15 * 86_400)
    await world.settle()
    const id = objective.displayId
    expect(await mine()).toEqual([`stopped_run ${id} -> svc launch ${id} --agent scripted`])
    await launcher.call('sendBackObjective', { id })
    expect(await mine()).toEqual([])
  })

  test(
    'and nothing of a run that a person called off, or of what was deleted',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, mission, runner, objective, mine } = await scene(world)
      await launcher.launch(objective)
      await launcher.call('cancelObjective', { id: objective.id })
      expect(await mine()).toEqual([])
      await launcher.launch(objective)
      await runner.failed(await runner.take())
      expect(await mine()).toHaveLength(1)
      await launcher.call('deleteMissions', { missionIds: [mission.id], confirm: true })
      expect(await mine()).toEqual([])
      await launcher.call('restoreMission', { id: mission.id })
      expect(await mine()).toEqual([])
    },
  )

  test(
    'what a failed run holds up in its queue, in place of that run',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, runner, project, objective, next, mine } = await scene(world)
      for (const { id } of [objective, next]) {
        await launcher.call('updateObjective', { id, assigned_agent: 'scripted' })
        await launcher.call('queueObjective', { objectiveId: id })
      }
      const { queues } = await launcher.call('listRunQueues', { id: project.id })
      await launcher.call('startRunQueue', { id: queues[0]?.id ?? '' })
      await runner.failed(await runner.take())
      const held = `held_entry ${objective.displayId} -> svc queue retry ${objective.displayId}`
      const paused = `paused_queue Default -> svc queue resume ${project.slug}`
      expect(await mine()).toEqual([held, paused])
      const { needs } = await launcher.call('listNeeds', { projectId: project.id })
      expect(needs).toMatchObject([
        { reason: 'run_failed', queue: { id: queues[0]?.id }, since: expect.any(String) },
        { reason: 'run_failed', waiting: 1 },
      ])
      await launcher.call('pauseRunQueue', { id: queues[0]?.id ?? '' })
      const resume = `svc queue resume ${project.slug}`
      expect(await mine()).toEqual([`held_entry ${objective.displayId} -> ${resume}`, paused])
      await launcher.call('resumeRunQueue', { id: queues[0]?.id ?? '' })
      expect(await mine()).toEqual([held])
      await launcher.call('retryRunQueueEntry', { id: needs[0]?.id ?? '' })
      expect(await advanceQueues(world.domain)).toBe(1)
      expect(await mine()).toEqual([])
    },
  )

  test(
    'a launch that no runner takes for five minutes, until one is there',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, project, objective, mine } = await scene(world)
      await launcher.launch(objective, { agent: 'rare' })
      await world.advance(290)
      expect(await mine()).toEqual([])
      await world.advance(20)
      expect(await mine()).toEqual([`untaken_launch ${objective.displayId} -> svc runner status`])
      const { needs } = await launcher.call('listNeeds', { projectId: project.id })
      expect(needs).toMatchObject([{ reason: 'no runner that is there has the agent rare' }])
      await world.connectedRunner(project, { agents: ['rare'] })
      expect(await mine()).toEqual([])
      await world.advance(310)
      expect(await mine()).toHaveLength(1)
    },
  )

  test(
    'one that goes on with a run, while its machine is away',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, project, runner, objective, attached, mine } = await scene(world)
      const { lease } = await attached()
      await runner.exited(lease)
      await launcher.resume(objective)
      await world.advance(310)
      await world.connectedRunner(project)
      expect(await mine()).toEqual([`untaken_launch ${objective.displayId} -> svc runner status`])
      await runner.take()
      expect(await mine()).toEqual([])
    },
  )
})

describe('who is shown what:', () => {
  test(
    'mine is what I launched, and for admins what nobody did; all is everybody’s',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, mission, project, runner, objective } = await scene(world)
      const other = await world.person('member')
      const moved = await world.missionWith(['c'], { project })
      await world.alice.call('moveMission', { id: moved.mission.id, statusId: 'review' })
      await launcher.launch(objective)
      await runner.failed(await runner.take())
      const names = async (person: Person, whose: 'mine' | 'all') => {
        const { needs, counts } = await person.call('listNeeds', { whose, projectId: project.id })
        const { review, stopped_run } = counts
        return [needs.map((need) => [nameOf(need), need.mine]), review, stopped_run]
      }
      const [run, review] = [objective.displayId, moved.mission.displayId]
      const none = { mine: 0, all: 1 }
      const own = { mine: 1, all: 1 }
      expect(await names(launcher, 'mine')).toEqual([[[run, true]], none, own])
      expect(await names(other, 'mine')).toEqual([[], none, none])
      const ofAlice = [[review, true]]
      expect(await names(world.alice, 'mine')).toEqual([ofAlice, own, none])
      const ofOther = [
        [review, false],
        [run, false],
      ]
      expect(await names(other, 'all')).toEqual([ofOther, none, none])
      expect(mission.displayId).not.toBe(review)
      await expect(world.carla.call('listNeeds', { projectId: project.id })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect((await world.carla.call('listNeeds', { whose: 'all' })).needs).toEqual([])
    },
  )

  test('who brought an agent that nobody launched is asked by it', async ({ world }) => {
    const { project, mission, objective } = await scene(world)
    const agent = world.agentOf(world.bob, { missionId: mission.id, objectiveId: objective.id })
    await agent.attach()
    await agent.ask()
    expect(await listed(world.bob, { projectId: project.id })).toHaveLength(1)
    expect(await listed(world.alice, { projectId: project.id })).toEqual([])
  })

  test(
    'a token of other projects is shown nothing, and one that may only read no steps',
    { tags: 'large' },
    async ({ world }) => {
      const { launcher, runner, project, objective } = await scene(world)
      await launcher.launch(objective)
      await runner.failed(await runner.take())
      const other = await world.projectWith()
      const bound = await launcher.withToken({
        preset: 'mission_lifecycle',
        projectIds: [other.id],
      })
      const { needs, counts } = await bound.call('listNeeds', { whose: 'all' })
      expect([needs, counts.stopped_run.all]).toEqual([[], 0])
      const own = await launcher.withToken({
        preset: 'mission_lifecycle',
        projectIds: [project.id],
      })
      expect((await own.call('listNeeds', { whose: 'all' })).counts.stopped_run.all).toBe(1)
      const reading = await launcher.withPreset('read_only')
      expect(await listed(reading, { projectId: project.id })).toEqual([
        `stopped_run ${objective.displayId} -> undefined`,
      ])
    },
  )

  test(
    'what waits in several projects is listed together, and counted',
    { tags: 'large' },
    async ({ world }) => {
      const failed = async () => {
        const { launcher, runner, project, objective } = await scene(world)
        await launcher.launch(objective)
        await runner.failed(await runner.take())
        return { project, objective, id: objective.displayId }
      }
      const [one, other] = [await failed(), await failed(), await failed()]
      const projectId = [one.project.slug, other.project.id].join(',')
      const { needs, counts } = await world.vera.call('listNeeds', { whose: 'all', projectId })
      expect(needs.map(nameOf)).toEqual([one.id, other.id])
      expect(counts.stopped_run.all).toBe(2)
      const own = await world.alice.withToken({ preset: 'read_only', projectIds: [one.project.id] })
      const missing = { code: 'not_found' }
      const named = { projectId: `${projectId},none-of-ours` }
      await expect(world.vera.call('listNeeds', named)).rejects.toMatchObject(missing)
      await expect(own.call('listNeeds', { projectId })).rejects.toMatchObject(missing)
    },
  )

  test(
    'disabled webhooks are the admins’, and tokens that end their person’s',
    { tags: 'large' },
    async ({ world, hooked: { alice, subscribe } }) => {
      const { project } = await scene(world)
      const anna = await world.person('member')
      const { id } = await subscribe({ name: 'CI', projectId: project.id })
      await alice.call('disableWebhook', { id })
      expect(await listed(alice, { projectId: project.id })).toEqual([
        `disabled_webhook CI -> svc webhooks enable ${id}`,
      ])
      expect(await listed(anna, { whose: 'all', projectId: project.id })).toEqual([])
      await alice.call('enableWebhook', { id })
      expect(await listed(alice, { projectId: project.id })).toEqual([])

      const order = { label: 'laptop', preset: 'runner', expiresInDays: 30 } as const
      await anna.call('createUserToken', order)
      await world.advance(24 * 86_400)
      const ofTokens = async (person: Person, whose: 'mine' | 'all') =>
        (await listed(person, { whose })).filter((line) => line.includes('laptop'))
      const renewing = 'ending_token laptop -> svc tokens create laptop --preset runner'
      expect(await ofTokens(anna, 'mine')).toEqual([renewing])
      expect(await ofTokens(world.bob, 'all')).toEqual([])
      expect(await ofTokens(alice, 'all')).toEqual(['ending_token laptop -> svc tokens list --all'])
      await anna.call('createUserToken', order)
      expect(await ofTokens(anna, 'mine')).toEqual([])
    },
  )
})

test(
  'pages go on across kinds, and have each row once, also while others come and go',
  { tags: 'large' },
  async ({ world }) => {
    const { launcher, project, runner } = await scene(world)
    const { mission } = await world.missionWith(['1', '2', '3', '4', '5'], {
      project,
      allowParallelObjectives: true,
    })
    for (const objective of mission.objectives) {
      await launcher.launch(objective)
      await runner.failed(await runner.take())
    }
    const moved = await world.missionWith(['r'], { project })
    for (const id of [mission.id, moved.mission.id]) {
      await world.alice.call('moveMission', { id, statusId: 'review' })
    }
    const query = { whose: 'all', projectId: project.id } as const
    const whole = await launcher.call('listNeeds', query)
    expect(whole.needs.map(({ kind }) => kind)).toEqual([
      'review',
      'review',
      ...mission.objectives.map(() => 'stopped_run'),
    ])
    for (const limit of [1, 2, 3, 6]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await launcher.call('listNeeds', {
          ...query,
          limit,
          ...(cursor && { cursor }),
        })
        expect(page.needs.length).toBeLessThanOrEqual(limit)
        expect(page.counts).toEqual(whole.counts)
        seen.push(...page.needs.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(seen).toEqual(whole.needs.map(({ id }) => id))
    }
    const first = await launcher.call('listNeeds', { ...query, limit: 3 })
    const [gone] = mission.objectives
    await launcher.launch(gone)
    const cursor = first.nextCursor ?? ''
    const rest = await launcher.call('listNeeds', { ...query, cursor })
    expect([...first.needs, ...rest.needs].map(({ id }) => id)).toEqual(
      whole.needs.map(({ id }) => id),
    )
    for (const wrong of ['x', 'review', 'review/x', `nothing/${mission.id}`]) {
      await expect(launcher.call('listNeeds', { cursor: wrong })).rejects.toMatchObject({
        code: 'validation_failed',
      })
    }
  },
)

test(
  'a page ends early where its questions are long, and the next ones go on with each once',
  { tags: 'large' },
  async ({ world }) => {
    const { launcher, project } = await scene(world)
    const names = Array.from({ length: 12 }, (_, index) => `Ask ${index}`)
    const { mission } = await world.missionWith(names, { project, allowParallelObjectives: true })
    const long = (characters: number) => '漢'.repeat(characters)
    const options = Array.from({ length: limits.questionOptions }, (_, index) => ({
      id: `option-${index}`,
      label: long(200),
      description: long(1000),
    }))
    for (const { id: objectiveId } of mission.objectives) {
      const agent = world.agentOf(launcher, { missionId: mission.id, objectiveId })
      await agent.attach()
      await agent.ask({ question: long(limits.questionCharacters), options })
    }
    await world.alice.call('moveMission', { id: mission.id, statusId: 'review' })
    const query = { whose: 'all', projectId: project.id, limit: 200 } as const
    const pages: Need[][] = []
    let cursor: string | undefined
    do {
      const page = await launcher.call('listNeeds', { ...query, ...(cursor && { cursor }) })
      // a row is at most 66 KiB, and the one that passes the bound is the last
      expect(Buffer.byteLength(JSON.stringify(page.needs))).toBeLessThan(640 * 1024)
      pages.push(page.needs)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages.length).toBeGreaterThan(1)
    const kinds = pages.flat().map(({ kind }) => kind)
    expect(kinds).toEqual([...names.map(() => 'question'), 'review'])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(13)
  },
)
