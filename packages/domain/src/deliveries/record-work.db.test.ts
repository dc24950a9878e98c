import { rationaleOf, sendLedger, twoArtifacts } from '../testing/samples.ts'
import { hearOfAll, jobsOf, outboxOf, sessionsOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const work = {
  summary: 'Written.',
  artifacts: twoArtifacts,
  changeRationales: [rationaleOf('a.ts')],
}

/** What a delivery leaves behind, without what is of this one alone. */
async function effectsOf(world: World, mission: { id: string }) {
  const { alice } = world
  const { phase, objectives } = await alice.mission(mission)
  const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
  const { artifacts } = await alice.call('listArtifacts', { id: mission.id })
  const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
  const sessions = await sessionsOf(world, mission)
  const events = await alice.eventsOf(mission)
  const outbox = await outboxOf(world, mission)
  expect(await jobsOf(world, outbox)).toHaveLength(outbox.length)
  return {
    phase,
    states: objectives.map(({ state, title }) => [state, title]),
    deliveries: deliveries.map(({ summary, report }) => ({ summary, report })),
    artifacts: artifacts.map(({ label, deliveryId }) => [label, deliveryId !== null]),
    files: fileChanges.map(({ filePath, vcsStatus }) => [filePath, vcsStatus]),
    sessions: sessions.map(({ phase, status, end_reason }) => [phase, status, end_reason]),
    events: events.map(({ type, summary }) => [type, summary.replace(/\S+:\d+\.\w+/, '<id>')]),
    outbox: outbox.map(({ type }) => type).toSorted(),
  }
}

describe('work that is recorded', () => {
  test(
    verifies(
      ['deliver.record-work-same', 'protocol.record-work', 'deliver.enqueues-mission-delivered'],
      'on an objective under way has every effect of a delivery, whoever looks',
    ),
    async ({ world }) => {
      const { alice } = world
      await hearOfAll(world)
      const done = await Promise.all(
        ['deliver', 'record-work'].map(async (operation) => {
          const { mission } = await world.missionWith(['a', 'b'])
          const [objective] = mission.objectives
          const { agent, lease } = await world.attachedRun(objective)
          const items = [{ filePath: 'a.ts', vcsStatus: 'added' as const }]
          await sendLedger(alice, { agent, objective, items })
          const sessionKey = agent.sessionKey()
          const call =
            operation === 'deliver'
              ? alice.protocol('deliver', { sessionKey, ...work })
              : alice.protocol('record-work', { objectiveId: objective.displayId, ...work })
          const answer = await call
          expect(answer).toMatchObject({ objective: { state: 'complete' }, warnings: [] })
          expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
          return effectsOf(world, mission)
        }),
      )
      expect(done[0]?.outbox).toContain('mission.delivered')
      expect(done[1]).toEqual(done[0])
    },
  )

  test('in other words on the same session is refused, with what takes it: the mission alone', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const sessionKey = agent.sessionKey()
    await alice.protocol('record-work', { sessionKey, summary: 'Written.' })
    const more = { summary: 'And the tests.' }
    for (const named of [{ sessionKey }, { objectiveId: mission.objectives[0].displayId }]) {
      await expect(alice.protocol('record-work', { ...named, ...more })).rejects.toMatchObject({
        code: 'session_ended',
        message: expect.stringContaining('the mission alone'),
        next: { operation: 'addObjectives', params: { id: mission.displayId } },
      })
    }
    const { objective } = await alice.protocol('record-work', { missionId: mission.id, ...more })
    expect(objective).toMatchObject({ state: 'complete', title: 'And the tests.' })
  })

  test('sent again to the same session is one delivery', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const record = () => alice.protocol('record-work', { sessionKey: agent.sessionKey(), ...work })
    expect((await record()).deliveryId).toBe((await record()).deliveryId)
  })

  test(
    verifies(
      ['tool.svc_record_work.records', 'tool.svc_record_work.schema'],
      'for a mission alone stands as an objective that is complete, by tool',
    ),
    async ({ world }) => {
      await hearOfAll(world)
      const { alice, mission } = await world.missionWith(['later'])
      const answer = await alice.tool('svc_record_work', { missionId: mission.id, ...work })
      expect(answer.objective).toMatchObject({ title: 'Written.', state: 'complete' })
      expect(await effectsOf(world, mission)).toMatchObject({
        phase: 'review',
        states: [
          ['complete', 'Written.'],
          ['awaiting_approval', 'later'],
        ],
        files: [['a.ts', null]],
        sessions: [['review', 'ended', 'delivered']],
        outbox: [
          'mission.delivered',
          'mission.status_changed',
          'objective.completed',
          'svc:awaiting_approval',
        ],
      })
    },
  )

  test('in a busy mission leaves what runs there alone', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['running', 'by hand'])
    const [running, byHand] = mission.objectives
    const { agent } = await world.attachedRun(running)
    await alice.protocol('record-work', { objectiveId: byHand.displayId, ...work })
    await world.bob.protocol('record-work', { missionId: mission.id, title: 'Beside', ...work })
    const { objectives } = await alice.mission(mission)
    expect(objectives.map(({ title, state }) => [title, state])).toEqual([
      ['running', 'executing'],
      ['by hand', 'complete'],
      ['Beside', 'complete'],
      ['Next objective', 'draft'],
    ])
    await agent.deliver()
  })

  test('under a title of its own does not deliver what a session of the caller works on', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['running'])
    const [running] = mission.objectives
    await world.agentOf(alice, { objectiveId: running.displayId }).attach()
    const titled = { missionId: mission.id, title: 'Beside', ...work }
    await expect(alice.tool('svc_record_work', titled)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(`your session works on ${running.displayId}`),
    })
    expect(await alice.objective(running)).toMatchObject({ state: 'executing' })
    const { title: _title, ...untitled } = titled
    expect(await alice.tool('svc_record_work', untitled)).toMatchObject({
      objective: { id: running.id, state: 'complete' },
    })
  })

  test("on another's session is refused", async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await world.attachedRun(objective)
    await expect(
      world.bob.protocol('record-work', { objectiveId: objective.displayId, ...work }),
    ).rejects.toMatchObject({ code: 'session_active' })
  })

  test('ends a launch that no agent has attached to', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['queued', 'started'], {
      allowParallelObjectives: true,
    })
    const [queued, started] = mission.objectives
    const { executionRequest } = await alice.launch(queued)
    await alice.protocol('record-work', { objectiveId: queued.displayId, ...work })
    expect(await alice.request(executionRequest)).toMatchObject({ status: 'cancelled' })
    const { agent, lease } = await world.startedRun(started)
    await alice.protocol('record-work', { objectiveId: started.displayId, ...work })
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
    await expect(agent.attach()).rejects.toMatchObject({ code: 'objective_not_launchable' })
  })

  test(
    'in place of a run that was to go on with an answer takes back what was asked',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, bob } = world
      const { mission } = await world.missionWith(['a'])
      const [objective] = mission.objectives
      const { runner, lease, agent } = await world.attachedRun(objective)
      const { questionId } = await agent.ask()
      await runner.exited(lease)
      await alice.answer(questionId)
      await runner.launching(await runner.take())
      await bob.protocol('record-work', { objectiveId: objective.displayId, ...work })
      expect(await alice.objective(objective)).toMatchObject({ state: 'complete' })
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'withdrawn' }])
    },
  )

  test(
    'without a name is refused while several run, and on what is complete',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], {
        allowParallelObjectives: true,
      })
      const runs = []
      for (const objective of mission.objectives) runs.push(await world.attachedRun(objective))
      const record = (named: { missionId?: string; objectiveId?: string }) =>
        world.bob.protocol('record-work', { ...named, ...work })
      await expect(record({ missionId: mission.id })).rejects.toMatchObject({
        code: 'ambiguous_objective',
      })
      const [first] = mission.objectives
      await runs[0]?.agent.deliver()
      const written = await world.rowsWrittenBy(() => record({ objectiveId: first.displayId }))
      expect(written).toMatchObject({ rows: [], refusal: { code: 'objective_not_launchable' } })
      expect((await alice.mission(mission)).objectives[0]).toMatchObject({ state: 'complete' })
    },
  )

  test('needs the right to add an objective where none is named', async ({ world }) => {
    const { alice, mission } = await world.missionWith([])
    const agent = await alice.withPreset('runner')
    await expect(
      agent.protocol('record-work', { missionId: mission.id, ...work }),
    ).rejects.toMatchObject({ code: 'forbidden', details: { permission: 'objective:create' } })
  })
})
