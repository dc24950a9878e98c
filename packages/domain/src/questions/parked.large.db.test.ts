import { sessionsOf } from '../testing/stored.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

/** A run whose agent has asked and is gone. */
async function parkedRun(world: World) {
  const { alice, mission, project } = await world.missionWith(['a'])
  const [objective] = mission.objectives
  const run = await world.attachedRun(objective)
  const { questionId } = await run.agent.ask()
  await run.runner.exited(run.lease)
  return { ...run, alice, mission, project, objective, questionId }
}

/** Takes the run that goes on, up to its start. */
async function resumed(runner: Awaited<ReturnType<typeof parkedRun>>['runner']) {
  const lease = await runner.take()
  await runner.launching(lease)
  await runner.launched(lease)
  return { lease, agent: runner.agent(lease) }
}

describe('a run whose process ends while its question is open', () => {
  test('is parked, and its objective goes on executing', async ({ world }) => {
    const { alice, mission, objective, lease } = await parkedRun(world)
    expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'parked' })
    expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
    expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: true })
    await world.advance(24 * 3600)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
    await expect(alice.launch(objective)).rejects.toMatchObject({
      code: 'objective_not_launchable',
      next: { operation: 'listQuestions' },
    })
  })

  test('goes on with the answer on its own machine: the resumed agent is told it as it attaches', async ({
    world,
  }) => {
    const { alice, mission, project, objective, lease, runner, questionId } = await parkedRun(world)
    const { executionRequest } = await alice.answer(questionId, 'Spaces.')
    expect(executionRequest).toMatchObject({ kind: 'resume', status: 'queued', source: 'answer' })
    expect(await alice.request(lease)).toMatchObject({ outcome: 'exited', goneOn: true })
    const other = await world.connectedRunner(project)
    expect((await other.claim()).request).toBeNull()

    const { agent } = await resumed(runner)
    const context = await agent.attach()
    expect(context.pendingAnswers).toMatchObject([{ questionId, answer: 'Spaces.' }])
    expect(context.questions).toMatchObject([{ question: 'Tabs or spaces?', answer: 'Spaces.' }])
    expect((await agent.update()).pendingAnswers).toEqual([])
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'delivered' }])
    expect(await sessionsOf(world, mission)).toMatchObject([
      { status: 'ended', end_reason: 'superseded' },
      { status: 'active' },
    ])
    await agent.deliver()
    expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
    // it has asked and was gone on with: that is no failure
    const { total } = await alice.call('getUsage', { projectId: project.id })
    expect(total).toMatchObject({ runs: 1, ends: { exited: 0, lost: 0, failed: 0 } })
  })

  test('goes on at once where the answer was there and not read', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    await alice.answer(questionId)
    await runner.exited(lease)
    const again = await resumed(runner)
    expect((await again.agent.attach()).pendingAnswers).toMatchObject([{ questionId }])
  })

  test('is told its own session and folder to go on with, and on a second try nothing of the session', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
    await agent.attach({ externalSessionId: 'native-1' })
    const { questionId } = await agent.ask()
    await runner.exited(lease)
    await alice.answer(questionId)
    const first = await runner.claim()
    expect(first.request?.resume).toMatchObject({ externalSessionId: 'native-1' })
    const { id, generation } = first.request?.executionRequest ?? { id: '', generation: 0 }
    const taken = { id, generation, leaseToken: first.leaseToken ?? '' }
    await runner.launching(taken)
    await runner.launched(taken)
    await runner.exited(taken, { exitCode: 1 })
    const second = await runner.claim()
    expect(second.request?.executionRequest).toMatchObject({ id, attempt: 2 })
    expect(second.request?.resume).toMatchObject({ externalSessionId: null })
  })

  test('is given up where going on fails for good', async ({ world }) => {
    const { alice, mission, objective, runner, questionId } = await parkedRun(world)
    await alice.answer(questionId)
    await runner.failed(await runner.take())
    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'exited',
    })
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'withdrawn' }])
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'ended' }])
    await world.attachedRun(objective, runner)
  })

  test('is given up where whoever launched it may launch no more', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const carol = await world.person('member', 'carol')
    await carol.launch(objective)
    const runner = await world.connectedRunner({ id: mission.projectId })
    const { agent, lease } = await resumed(runner)
    await agent.attach()
    const { questionId } = await agent.ask()
    await runner.exited(lease)
    await world.domain.db.deleteFrom('memberships').where('user_id', '=', carol.userId).execute()
    const { executionRequest } = await alice.answer(questionId)
    expect(executionRequest).toBeNull()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'exited', goneOn: false })
    expect(await alice.objective(objective)).toMatchObject({ state: 'submitted' })
  })

  test('stays parked for 14 days', async ({ world }) => {
    const { alice, objective, lease } = await parkedRun(world)
    await world.advance(15 * 24 * 3600)
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'cancelled' })
    expect(await alice.objective(objective)).toMatchObject({ lastOutcome: 'question_expired' })
  })
})

describe('an answer whose machine never came for it', () => {
  test('is given up after 14 days, and with it the request that was to bring it', async ({
    world,
  }) => {
    const { alice, mission, objective, questionId } = await parkedRun(world)
    const { executionRequest } = await alice.answer(questionId)
    await world.advance(15 * 24 * 3600)
    await world.settle()
    expect(await alice.request({ id: executionRequest?.id ?? '' })).toMatchObject({
      status: 'cancelled',
    })
    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'question_expired',
    })
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'expired' }])
    const { executionRequest: again } = await alice.resume(objective)
    expect(again).toMatchObject({ kind: 'resume', status: 'queued' })
  })

  test('is not given up while a machine is on its way with it', async ({ world }) => {
    const { alice, objective, questionId, runner } = await parkedRun(world)
    await alice.answer(questionId)
    await world.advance(15 * 24 * 3600)
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
    const { pendingAnswers } = await runner.agent(lease).attach()
    expect(pendingAnswers).toMatchObject([{ questionId }])
  })
})

describe('a run whose machine falls silent while its question is open', () => {
  test('is parked, and goes on as it is when it is heard of again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    await world.advance(1000)
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'parked' })
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'running' }])
    await alice.answer(questionId)
    expect(await agent.ask({ questionId })).toMatchObject({ status: 'delivered' })
  })

  test('and that was answered meanwhile learns that another goes on', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    await world.advance(1000)
    await world.settle()
    await alice.answer(questionId)
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
  })

  test('may be taken over by another agent, which begins anew', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease } = await world.attachedRun(mission.objectives[0])
    await agent.ask()
    await world.advance(1000)
    await world.settle()
    const other = world.agentOf(alice, { objectiveId: mission.objectives[0].displayId })
    await expect(other.attach()).rejects.toMatchObject({ code: 'session_active' })
    await other.attach({ takeOver: true })
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'withdrawn' }])
    expect(await alice.request(lease)).toMatchObject({ outcome: 'cancelled' })
    await other.deliver()
  })
})
