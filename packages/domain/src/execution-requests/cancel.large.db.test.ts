import { outboxOf } from '../testing/stored.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('cancelling a queued request', () => {
  test('returns its objective to where it was launched from, and frees the mission', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'])
    const [first, second] = mission.objectives
    await alice.call('submitObjective', { id: first.id })
    const { executionRequest } = await alice.launch(first)

    const answer = await alice.call('cancelExecutionRequest', {
      id: executionRequest.id,
      reason: 'a typo',
    })

    expect(answer).toMatchObject({
      alreadyFinished: false,
      executionRequest: { status: 'cancelled', endedAt: expect.any(String) },
      objective: { state: 'submitted', lastOutcome: 'cancelled' },
    })
    expect((await alice.eventsOf(mission))[0]).toMatchObject({
      type: 'execution_cancelled',
      summary: 'Cancelled: a typo',
      actor: { name: 'alice', role: 'person' },
    })
    const runner = await world.connectedRunner({ id: mission.projectId })
    expect((await runner.claim()).request).toBeNull()
    expect((await alice.launch(second)).reused).toBe(false)
  })

  test('tells of the queue that it pauses: the one that launched it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['first', 'second'], {
      allowParallelObjectives: true,
    })
    const [first, second] = mission.objectives
    for (const { id } of [first, second]) {
      await alice.call('updateObjective', { id, assigned_agent: 'scripted' })
    }
    const { queue } = await alice.call('queueObjective', { objectiveId: first.id })
    await alice.call('queueObjective', { objectiveId: second.id })
    const { executionRequest } = await alice.call('startRunQueue', { id: queue.id })
    const cancel = () => alice.call('cancelExecutionRequest', { id: executionRequest.id })
    const paused = { pausesQueue: { id: queue.id, name: queue.name } }
    expect(await cancel()).toMatchObject(paused)
    expect(await cancel()).toMatchObject({ pausesQueue: null })

    await alice.call('startRunQueue', { id: queue.id })
    const runner = await world.connectedRunner({ id: mission.projectId })
    const lease = await runner.take()
    await runner.launching(lease)
    await runner.launched(lease)
    await runner.agent(lease).attach()
    expect(await alice.call('cancelObjective', { id: second.id })).toMatchObject(paused)
    await alice.launch(first)
    expect(await alice.call('cancelObjective', { id: first.id })).toMatchObject({
      pausesQueue: null,
    })
  })

  test('again writes nothing and says that it is over', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0])
    const cancel = () => alice.call('cancelExecutionRequest', { id: executionRequest.id })
    await cancel()

    const written = await world.rowsWrittenBy(async () => {
      expect(await cancel()).toMatchObject({ alreadyFinished: true })
    })
    expect(written).toEqual({ rows: [], refusal: undefined })
  })

  test('leaves its objective to a person, whatever is delivered before it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b', 'c'], { auto_advance: true })
    const [a, b, c] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const { next } = await agent.deliver()
    await alice.call('cancelExecutionRequest', { id: next?.executionRequest?.id ?? '' })

    await (await world.attachedRun(c)).agent.deliver()

    expect((await alice.objective(b)).state).toBe('awaiting_approval')
  })

  test('takes the right to launch', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { id } = (await alice.launch(mission.objectives[0])).executionRequest
    const cancelledBy = (person: typeof alice) =>
      world.rowsWrittenBy(() => person.call('cancelExecutionRequest', { id }))
    expect(await cancelledBy(world.vera)).toMatchObject({
      rows: [],
      refusal: { code: 'forbidden' },
    })
    expect(await cancelledBy(world.carla)).toMatchObject({
      rows: [],
      refusal: { code: 'not_found' },
    })
  })

  test('at once with its claim ends it, or has its runner told', async ({ world }) => {
    const { alice, mission } = await world.missionWith(
      Array.from({ length: 8 }, () => 'work'),
      { allowParallelObjectives: true },
    )
    const runner = await world.connectedRunner({ id: mission.projectId })
    const ids: string[] = []
    for (const one of mission.objectives) ids.push((await alice.launch(one)).executionRequest.id)

    await Promise.all(
      ids.flatMap((id) => [runner.claim(), alice.call('cancelExecutionRequest', { id })]),
    )

    for (const run of await alice.requestsOf(mission)) {
      const isTold = run.status === 'claimed' && run.cancelRequestedAt !== null
      expect([run.status === 'cancelled', isTold]).toContain(true)
    }
    expect((await runner.claim()).request).toBeNull()
  })
})

describe('cancelling an objective', () => {
  test('ends the run of it, queued or not', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const [objective] = mission.objectives
    await alice.launch(objective)
    const cancel = () => alice.call('cancelObjective', { id: objective.displayId })
    expect(await cancel()).toMatchObject({
      executionRequest: { status: 'cancelled' },
      objective: { state: 'draft' },
    })
    expect(await cancel()).toMatchObject({ executionRequest: null, alreadyFinished: true })

    const { lease } = await world.attachedRun(objective)
    expect(await cancel()).toMatchObject({
      executionRequest: { id: lease.id, cancelRequestedAt: expect.any(String) },
      alreadyFinished: false,
    })
  })

  test('ends the work of an agent that came by itself, and tells it so', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs', 'read them'])
    const [objective, next] = mission.objectives
    const agent = world.agentOf(alice, { objectiveId: objective.displayId })
    await agent.attach()

    expect(await alice.call('cancelObjective', { id: objective.id })).toMatchObject({
      executionRequest: null,
      alreadyFinished: false,
      objective: { state: 'submitted', lastOutcome: 'cancelled' },
    })

    for (const late of [() => agent.update(), () => agent.deliver()]) {
      await expect(late()).rejects.toMatchObject({ code: 'session_ended' })
    }
    expect((await outboxOf(world, mission)).at(-1)).toMatchObject({
      type: 'svc:run_cancelled',
      snapshot: { run: { id: null, agent: 'scripted', reason: 'Called off' } },
    })
    expect((await alice.launch(next)).reused).toBe(false)
  })

  test('takes the right to launch', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const [objective] = mission.objectives
    await world.attachedRun(objective)
    const refused = { rows: [], refusal: { code: 'forbidden' } }
    expect(
      await world.rowsWrittenBy(() => world.vera.call('cancelObjective', { id: objective.id })),
    ).toMatchObject(refused)
  })
})
