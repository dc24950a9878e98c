import { test } from '@svc/testing/world'
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

  test('at once with its claim either cancels it or is refused', async ({ world }) => {
    const { alice, mission } = await world.missionWith(
      Array.from({ length: 8 }, () => 'work'),
      {
        allowParallelObjectives: true,
      },
    )
    const runner = await world.connectedRunner({ id: mission.projectId })
    const ids: string[] = []
    for (const one of mission.objectives) ids.push((await alice.launch(one)).executionRequest.id)

    const cancelled = await Promise.allSettled(
      ids.map(async (id) => {
        const [, answer] = await Promise.all([
          runner.claim(),
          alice.call('cancelExecutionRequest', { id }).catch((error) => error.code),
        ])
        return answer
      }),
    )

    const runs = new Map((await alice.requestsOf(mission)).map((one) => [one.id, one.status]))
    for (const [index, id] of ids.entries()) {
      const result = cancelled[index]
      const refused = result?.status === 'fulfilled' && result.value === 'invalid_transition'
      expect(runs.get(id)).toBe(refused ? 'claimed' : 'cancelled')
    }
  })
})

test('cancelling a run that a runner has is refused, and says what ends it', async ({ world }) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  const { lease, agent } = await world.attachedRun(mission.objectives[0])
  const cancel = () => alice.call('cancelExecutionRequest', { id: lease.id })

  expect(await world.rowsWrittenBy(cancel)).toMatchObject({
    rows: [],
    refusal: {
      code: 'invalid_transition',
      message: expect.stringContaining('it ends when its agent delivers or exits'),
    },
  })
  await agent.deliver()
  expect(await cancel()).toMatchObject({ alreadyFinished: true })
})
