import { rationaleOf, twoArtifacts } from '../testing/samples.ts'
import { sessionsOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('delivering again', { tags: 'large' }, () => {
  test('the same content gets the same delivery and does nothing more', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const { agent } = await world.attachedRun(mission.objectives[0])
    const said = {
      summary: 'Done.',
      artifacts: twoArtifacts,
      changeRationales: [rationaleOf('a.ts'), { bad: true }],
    }
    const first = await agent.deliver(said)

    const again = await world.rowsWrittenBy(async () => {
      const second = await agent.deliver(said)
      expect(second).toMatchObject({
        deliveryId: first.deliveryId,
        warnings: first.warnings,
        objective: first.objective,
      })
      expect(second.next).toMatchObject({
        objectiveId: mission.objectives[1].id,
        executionRequest: { id: first.next?.executionRequest?.id },
      })
    })

    expect(again).toEqual({ rows: [], refusal: undefined })
    expect(await alice.requestsOf(mission)).toHaveLength(2)
  })

  test('names the same objective as next, whatever came after', async ({ world }) => {
    const { mission } = await world.missionWith(['a', 'b', 'c'])
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const { next } = await agent.deliver()
    expect(next).toMatchObject({ objectiveId: b.id, state: 'awaiting_approval' })
    const second = await world.attachedRun(b)
    await second.agent.deliver()
    expect((await agent.deliver()).next).toEqual(next)
  })

  test.for([
    ['another summary', { summary: 'Otherwise.' }],
    ['another report', { summary: 'Done.', report: { risks: [{ text: 'x' }] } }],
    ['an artifact', { summary: 'Done.', artifacts: twoArtifacts }],
    ['a rationale', { summary: 'Done.', changeRationales: [rationaleOf('a.ts')] }],
  ] as const)('%s is refused: the session has ended', async ([, said], { world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver({ summary: 'Done.' })
    const copy = JSON.parse(JSON.stringify(said)) as Parameters<typeof agent.deliver>[0]
    const written = await world.rowsWrittenBy(() => agent.deliver(copy))
    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'session_ended', details: { endReason: 'delivered' } },
    })
    await expect(agent.update()).rejects.toMatchObject({ code: 'session_ended' })
    await expect(agent.heartbeat()).rejects.toMatchObject({ code: 'session_ended' })
  })

  test('16 times at once makes one delivery', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const { agent } = await world.attachedRun(mission.objectives[0])
    const answers = await Promise.all(Array.from({ length: 16 }, () => agent.deliver()))
    expect(new Set(answers.map((one) => one.deliveryId)).size).toBe(1)
    expect((await alice.call('listDeliveries', { id: mission.id })).deliveries).toHaveLength(1)
    expect(await alice.requestsOf(mission)).toHaveLength(2)
  })
})

describe('a delivery wins', () => {
  test('over a loss: the lost objective is complete', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease } = await world.attachedRun(mission.objectives[0])
    await world.advance(1000)
    await world.settle()
    expect(await alice.request(lease)).toMatchObject({ outcome: 'lost' })

    const delivered = await agent.deliver()

    expect(delivered.objective).toMatchObject({ state: 'complete', lastOutcome: null })
    expect((await alice.objective(mission.objectives[0])).state).toBe('complete')
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
    expect(await sessionsOf(world, mission)).toMatchObject([
      {
        end_reason: 'delivered',
        phase: 'review',
      },
    ])
  })

  test(
    'over a loss though another objective has the slot by now',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'])
      const [a, b] = mission.objectives
      const { agent } = await world.attachedRun(a)
      await world.advance(1000)
      await world.settle()
      await world.attachedRun(b)
      await expect(agent.update()).rejects.toMatchObject({ code: 'mission_busy' })

      expect((await agent.deliver()).objective.state).toBe('complete')
      expect((await alice.objective(b)).state).toBe('executing')
    },
  )

  test(
    verifies('deliver.only-executing', 'no more once its objective was launched again'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      await world.advance(1000)
      await world.settle()
      await alice.launch(mission.objectives[0])
      const written = await world.rowsWrittenBy(() => agent.deliver())
      expect(written).toMatchObject({ rows: [], refusal: { code: 'stale_execution' } })
    },
  )
})

describe('a delivery', () => {
  test(
    verifies('deliver.only-executing', 'is taken of an executing objective and of no other'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b', 'c', 'd', 'e'], {
        allowParallelObjectives: true,
      })
      const [complete, awaiting, submitted, launching, draft] = mission.objectives
      const { agent } = await world.attachedRun(complete)
      await agent.deliver()
      await alice.call('submitObjective', { id: submitted.id })
      await alice.launch(launching)
      const now = await Promise.all(mission.objectives.map((one) => alice.objective(one)))
      expect(now.map(({ state }) => state)).toEqual([
        'complete',
        'awaiting_approval',
        'submitted',
        'launching',
        'draft',
      ])

      const refusals = await world.rowsWrittenBy(async () => {
        for (const { displayId } of [awaiting, submitted, launching, draft]) {
          await expect(
            alice.protocol('deliver', { sessionKey: displayId, summary: 'Done.' }),
          ).rejects.toMatchObject({ code: 'not_found' })
        }
        await expect(agent.deliver({ summary: 'Once more.' })).rejects.toMatchObject({
          code: 'session_ended',
        })
      })

      expect(refusals).toEqual({ rows: [], refusal: undefined })
      const running = world.agentOf(alice, { objectiveId: draft.displayId })
      await running.attach()
      expect((await running.deliver()).objective).toMatchObject({ state: 'complete' })
    },
  )
})
