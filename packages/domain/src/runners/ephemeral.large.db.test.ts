import { pushCheck } from '@svc/contracts/check'
import type { Project } from '@svc/contracts/project'
import { describe, expect } from 'vitest'
import { purgeDeleted } from '../deletion/purge.ts'
import { purgeExpired } from '../sweep/purge-expired.ts'
import { type RunnerSetUp, leaseOf } from '../testing/runner.ts'
import { scripted } from '../testing/people.ts'
import { type World, test } from '../testing/world.ts'

const cloneUrl = 'https://git.example.com/acme/web.git'
const web = { resourceKey: 'web', cloneUrl }

function pod(world: World, project: Project, setUp: Partial<RunnerSetUp> = {}) {
  return world.connectedRunner(project, { ephemeral: true, ...setUp })
}

async function waiting(world: World, project: Project, asked: { label?: string } = {}) {
  const caller = await world.alice.withPreset('runner')
  const given = { agents: scripted, projects: project.slug, ...asked }
  return (await caller.call('countWaiting', given)).waiting
}

describe('an ephemeral runner', () => {
  test('takes what it can clone, and no other resource', async ({ world }) => {
    const resources = [web, { resourceKey: 'docs' }]
    const { alice, project, mission } = await world.missionWith(['one', 'two'], {
      resources,
      allowParallelObjectives: true,
    })
    const [one, two] = mission.objectives
    // nobody has to be there for what is cloned
    const launched = await alice.launch(one, { resourceKey: 'web' })
    const docs = { projectId: project.id, resourceKey: 'docs' }
    await world.connectedRunner(project, { resources: [docs] })
    await alice.launch(two, { resourceKey: 'docs' })
    const [lasting, first, second] = [
      await world.connectedRunner(project),
      await pod(world, project),
      await pod(world, project),
    ]
    expect((await lasting.claim()).request).toBeNull()
    const { request } = await first.claim()
    expect(request).toMatchObject({
      executionRequest: { id: launched.executionRequest.id },
      resources: expect.arrayContaining([expect.objectContaining({ cloneUrl })]),
    })
    expect((await second.claim()).request).toBeNull()
  })

  test('is counted on for the launches that it would take', async ({ world }) => {
    const resources = [web, { resourceKey: 'docs' }]
    const { alice, project, mission } = await world.missionWith(['one', 'two', 'three', 'four'], {
      resources,
      allowParallelObjectives: true,
    })
    const [one, two, three, four] = mission.objectives
    expect(await waiting(world, project)).toBe(0)
    await alice.launch(one, { resourceKey: 'web' })
    const docs = { projectId: project.id, resourceKey: 'docs' }
    await world.connectedRunner(project, { resources: [docs] })
    await alice.launch(two, { resourceKey: 'docs' })
    await alice.launch(three, { resourceKey: 'web', agent: 'another' })
    expect(await waiting(world, project)).toBe(1)
    await alice.launch(four, { resourceKey: 'web', runner: 'pods' })
    expect(await waiting(world, project)).toBe(1)
    expect(await waiting(world, project, { label: 'pods' })).toBe(2)
    await (await pod(world, project)).take()
    expect(await waiting(world, project)).toBe(0)
    expect(await waiting(world, await world.projectWith([web]))).toBe(0)
  })

  test('is not started for the branch of a run that has not ended', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one', 'two'], {
      resources: [web],
    })
    const [one, two] = mission.objectives
    await alice.launch(one)
    const runner = await pod(world, project)
    const lease = await runner.take()
    const sha = 'a'.repeat(40)
    await runner.launching(lease, 'a-mission', {
      startSha: sha,
      missionBranch: 'a-mission',
      baseSha: sha,
    })
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    await agent.deliver()
    await alice.launch(two)
    expect(await waiting(world, project)).toBe(0)
    await runner.exited(lease)
    expect(await waiting(world, project)).toBe(1)
  })

  test('gives back for all that would be started in its place, for longer each time', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    for (const [reason, seconds] of [
      ['branch_elsewhere', 5],
      ['branch_elsewhere', 10],
      ['quota', 300],
    ] as const) {
      const runner = await pod(world, project)
      await runner.released(await runner.take(), { reason })
      await world.advance(seconds - 4)
      expect(await waiting(world, project)).toBe(0)
      expect((await (await pod(world, project)).claim()).request).toBeNull()
      await world.advance(5)
      expect(await waiting(world, project)).toBe(1)
    }
    const rows = await world.domain.db.selectFrom('execution_requests').select('waits').execute()
    expect(rows.every(({ waits }) => Object.keys(waits).length <= 1)).toBe(true)
  })

  test('leaves a question whose answer any runner goes on with, in a new conversation', async ({
    world,
  }) => {
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    const runner = await pod(world, project)
    const lease = await runner.take()
    await runner.launching(lease, 'a-mission')
    await runner.launched(lease, { externalSessionId: 'native-1' })
    const agent = runner.agent(lease)
    await agent.attach()
    const { questionId } = await agent.ask()
    await runner.exited(lease)
    await alice.answer(questionId, 'Spaces.')
    expect(await waiting(world, project)).toBe(1)
    const next = await pod(world, project)
    const answer = await next.claim()
    expect(answer.request?.resume).toEqual({ externalSessionId: null, prepared: null })
    const again = leaseOf(answer)
    await next.launching(again, 'a-mission')
    await next.launched(again)
    const { pendingAnswers } = await next.agent(again).attach()
    expect(pendingAnswers).toMatchObject([{ questionId, answer: 'Spaces.' }])
  })

  test('delivers once its supervisor says that the branch is at its origin', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one', 'two'], {
      resources: [web],
    })
    await alice.launch(mission.objectives[0])
    const runner = await pod(world, project)
    const lease = await runner.take()
    await runner.launching(lease, 'a-mission', { pushes: true })
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    const { id, leaseToken } = lease
    const report = (attempt: number, outcome: 'passed' | 'failed', output: string) => {
      const result = { name: pushCheck, outcome, exitCode: null, seconds: 1, output }
      const tree = { commit: 'c'.repeat(40), dirty: false, changed: false }
      return runner.call('reportCheck', {
        id,
        leaseToken,
        attempt,
        report: { ...tree, results: [result] },
      })
    }
    await expect(agent.deliver()).rejects.toMatchObject({
      code: 'check_running',
      details: { names: [pushCheck] },
    })
    await report(1, 'failed', 'Branch a-mission could not be pushed: it is protected')
    await expect(agent.deliver()).rejects.toMatchObject({
      code: 'check_failed',
      details: { results: [{ output: expect.stringContaining('it is protected') }] },
    })
    await expect(agent.deliver()).rejects.toMatchObject({ code: 'check_running' })
    await report(2, 'passed', '')
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test('is removed once it is silent and none of its runs is under way', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    const label = `pod-of-${project.slug}`
    const there = async () =>
      (await alice.call('listRunners', {})).runners.filter((one) => one.label === label).length
    const runner = await pod(world, project, { label })
    const lasting = await world.connectedRunner(project, { label })
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    await world.advance(61)
    await world.settle()
    expect(await there()).toBe(2)
    await agent.deliver()
    await runner.exited(lease)
    await world.advance(61)
    await world.settle()
    expect(await there()).toBe(1)
    expect((await lasting.claim()).request).toBeNull()
    await expect(runner.claim()).rejects.toMatchObject({ code: 'runner_removed' })
  })

  test('is removed where it says that it leaves, unless it has a run', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    const label = `pod-of-${project.slug}`
    const there = async () =>
      (await alice.call('listRunners', {})).runners.filter((one) => one.label === label).length
    const [runner, lasting] = [
      await pod(world, project, { label }),
      await world.connectedRunner(project, { label }),
    ]
    const lease = await runner.take()
    const leave = async ({ call, instanceId }: typeof runner) => {
      await call('heartbeatRunner', { instanceId, leases: [], leaving: true })
    }
    await leave(runner)
    await leave(lasting)
    expect(await there()).toBe(2)
    await runner.failed(lease)
    await leave(runner)
    expect(await there()).toBe(1)
  })

  test('goes for good a day after it has gone, where it had a run only after that', async ({
    world,
  }) => {
    const { domain } = world
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    const label = `pod-of-${project.slug}`
    const [busy, idle] = [
      await pod(world, project, { label }),
      await pod(world, project, { label }),
    ]
    const lease = await busy.take()
    await idle.call('heartbeatRunner', { instanceId: idle.instanceId, leases: [], leaving: true })
    await busy.failed(lease)
    await busy.call('heartbeatRunner', { instanceId: busy.instanceId, leases: [], leaving: true })
    const rows = async () => {
      await purgeExpired(domain, 'each hour')
      const runners = domain.db.selectFrom('runners').select('id').where('label', '=', label)
      return (await runners.execute()).length
    }
    expect(await rows()).toBe(2)
    await world.advance(86_401)
    expect(await rows()).toBe(1)
    await alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    await world.advance(31 * 86_400)
    expect(await rows()).toBe(1)
    await purgeDeleted(domain)
    expect(await rows()).toBe(1)
    await world.advance(86_401)
    expect(await rows()).toBe(0)
  })

  test('goes for good where the run that it gave back was taken by another', async ({ world }) => {
    const { domain } = world
    const { alice, project, mission } = await world.missionWith(['one'], { resources: [web] })
    await alice.launch(mission.objectives[0])
    const label = `pod-of-${project.slug}`
    const first = await pod(world, project, { label })
    await first.released(await first.take(), { reason: 'branch_elsewhere' })
    await first.call('heartbeatRunner', { instanceId: first.instanceId, leases: [], leaving: true })
    const left = async () => {
      await purgeExpired(domain, 'each hour')
      const runners = domain.db.selectFrom('runners').select('id').where('label', '=', label)
      return (await runners.execute()).map(({ id }) => id)
    }
    await world.advance(86_401)
    const [gone = ''] = await left()
    expect(gone).not.toBe('')
    await (await pod(world, project, { label })).take()
    const rest = await left()
    expect(rest).toHaveLength(1)
    expect(rest).not.toContain(gone)
  })

  test('is not missed by a launch, since it comes for it', async ({ world }) => {
    const resources = [web, { resourceKey: 'docs' }]
    const { alice, project, mission } = await world.missionWith(['one', 'two', 'three'], {
      resources,
      allowParallelObjectives: true,
    })
    const [one, two, three] = mission.objectives
    const docs = { projectId: project.id, resourceKey: 'docs' }
    await world.connectedRunner(project, { resources: [docs] })
    expect(await alice.launch(one, { resourceKey: 'web' })).toMatchObject({ warnings: [] })
    const named = await alice.launch(two, { resourceKey: 'web', runner: 'pods' })
    expect(named).toMatchObject({ warnings: [] })
    expect(await alice.launch(three, { resourceKey: 'docs', agent: 'another' })).toMatchObject({
      warnings: [{ code: 'agent_not_available' }],
    })
  })

  test('that is gone keeps no branch waiting for what it has not pushed', async ({ world }) => {
    const { alice, project, mission } = await world.missionWith(['one', 'two'], {
      resources: [web],
      allowParallelObjectives: true,
    })
    const [one, two] = mission.objectives
    await alice.launch(one)
    const killed = await pod(world, project)
    const lease = await killed.take()
    const sha = 'a'.repeat(40)
    const cut = { startSha: sha, missionBranch: 'a-mission', baseSha: sha }
    await killed.launching(lease, 'a-mission', cut)
    await killed.launched(lease)
    await alice.launch(two)
    const sibling = await pod(world, project)
    const claimed = await sibling.claim()
    expect(claimed.request?.branches.mission).toMatchObject({ branch: 'a-mission' })
    expect(claimed.request?.branches.mission).not.toHaveProperty('runnerGone')
    await sibling.failed(leaseOf(claimed))
    await world.advance(3600)
    await world.settle()
    await alice.launch(two)
    const { request } = await (await pod(world, project)).claim()
    expect(request?.branches.mission).toMatchObject({ branch: 'a-mission', runnerGone: true })
  })
})
