import { outboxOf, sessionsOf, tokenForObjective } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const day = 24 * 3600

describe('an answer', () => {
  test(
    'is told to the supervisor of the agent with each renewal, until the agent has taken it',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
      const sentDirectives = async () => {
        const leases = [
          { requestId: lease.id, leaseToken: lease.leaseToken, state: 'running' as const },
        ]
        const { instanceId } = runner
        return (await runner.call('heartbeatRunner', { instanceId, leases })).directives
      }
      const { questionId } = await agent.ask()
      expect(await sentDirectives()).toEqual([])
      await alice.answer(questionId)
      const waits = { type: 'answer_available', requestId: lease.id, questionId }
      expect(await sentDirectives()).toEqual([waits])
      expect(await sentDirectives()).toEqual([waits])
      expect((await agent.update()).pendingAnswers).toMatchObject([{ questionId }])
      await agent.update()
      expect(await sentDirectives()).toEqual([])
    },
  )
})

describe('a question', () => {
  test(
    'that is asked with the tool gives way to another one where the agent says so',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const objectiveId = mission.objectives[0].displayId
      const { sessionKey } = await alice.tool('svc_attach_session', {
        agentIdentifier: 'cloud',
        objectiveId,
      })
      const ask = (question: string, more = {}) =>
        alice.tool('svc_update_session', { sessionKey, question, ...more })
      await ask('Tabs?')
      await expect(ask('Spaces?')).rejects.toMatchObject({
        code: 'question_open',
        message: expect.stringContaining('supersede'),
      })
      const { questionId } = await ask('Spaces?', { supersede: true })
      expect(await alice.questionsOf(mission)).toMatchObject([
        { id: questionId, question: 'Spaces?', status: 'open' },
        { question: 'Tabs?', status: 'withdrawn' },
      ])
      await expect(
        alice.tool('svc_update_session', { sessionKey, text: 'On it.', supersede: true }),
      ).rejects.toMatchObject({ code: 'validation_failed' })
    },
  )

  test(
    verifies(
      ['protocol.ask', 'ask.keeps-state', 'event.mission-blocked'],
      'leaves the objective executing, blocks the mission for all to see, and is told to whoever launched',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const [objective] = mission.objectives
      const { agent } = await world.attachedRun(objective)

      const asked = await agent.ask({ question: 'Tabs or spaces?' })

      expect(asked).toMatchObject({ status: 'open', directive: 'continue', pendingAnswers: [] })
      expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
      expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: true })
      expect(await alice.questionsOf(mission)).toMatchObject([
        {
          id: asked.questionId,
          displayId: objective.displayId,
          agentIdentifier: 'scripted',
          question: 'Tabs or spaces?',
          status: 'open',
          answer: null,
        },
      ])
      expect((await alice.eventsOf(mission))[0]).toMatchObject({
        type: 'ask',
        summary: 'Tabs or spaces?',
        actor: { name: 'alice', role: 'agent' },
      })
      const blocked = (await outboxOf(world, mission)).filter(
        (one) => one.type === 'mission.blocked',
      )
      expect(blocked).toMatchObject([
        {
          snapshot: {
            mission: { id: mission.id },
            objective: { id: objective.id, state: 'executing' },
            session: { agentIdentifier: 'scripted' },
          },
        },
      ])
      const notices = await world.domain.db
        .selectFrom('notifications as n')
        .innerJoin('users as u', 'u.id', 'n.user_id')
        .select(['n.kind', 'n.link', 'u.name'])
        .where('n.key', '=', `question:${asked.questionId}`)
        .execute()
      const link = `/w/here/o/${objective.displayId}`
      expect(notices).toEqual([{ kind: 'question', link, name: 'alice' }])
    },
  )

  test(
    'is one at a time, unless the agent takes the former back',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const first = await agent.ask()
      await expect(agent.ask({ question: 'Another?' })).rejects.toMatchObject({
        code: 'question_open',
        details: { questionId: first.questionId, status: 'open' },
        next: { operation: 'ask', params: { questionId: first.questionId } },
      })
      const second = await agent.ask({ question: 'Another?', supersede: true })
      expect(await alice.questionsOf(mission)).toMatchObject([
        { id: second.questionId, status: 'open' },
        { id: first.questionId, status: 'withdrawn' },
      ])
      expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: true })
      await expect(alice.answer(first.questionId)).rejects.toMatchObject({
        code: 'question_closed',
      })
    },
  )

  test('asked twice at once is asked once', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const asks = Array.from({ length: 8 }, () => agent.ask().catch(() => undefined))
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(1)
    expect(await alice.questionsOf(mission)).toHaveLength(1)
  })

  test('is withdrawn by the delivery', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    await agent.deliver()
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'withdrawn' }])
    expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: false })
    await expect(alice.answer(questionId)).rejects.toMatchObject({ code: 'question_closed' })
  })

  test('stops the clocks of its session', { tags: 'large' }, async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const agent = world.agentOf(world.alice, { missionId: mission.id })
    await agent.attach()
    await agent.ask()
    await world.advance(3600)
    await world.settle()
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'waiting_answer' }])
  })

  test('that nobody answers in 14 days ends the run', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { agent, lease, runner } = await world.attachedRun(objective)
    await agent.ask()
    await world.advance(13 * day)
    await runner.heartbeat(lease)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({ state: 'executing' })
    await world.advance(2 * day)
    await runner.heartbeat(lease)
    await world.settle()
    expect(await alice.objective(objective)).toMatchObject({
      state: 'submitted',
      lastOutcome: 'question_expired',
    })
    expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'expired' }])
    expect(await alice.request(lease)).toMatchObject({ outcome: 'cancelled' })
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: false, reason: 'superseded' }])
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
    await world.attachedRun(objective, runner)
  })
})

describe('an answer', () => {
  test('is taken by a call that waits for it', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { questionId } = await agent.ask()
    const waiting = agent.ask({ questionId, waitSeconds: 25 })
    await alice.answer(questionId, 'Spaces.')
    expect(await waiting).toMatchObject({
      questionId,
      status: 'delivered',
      answer: { optionId: null, text: 'Spaces.' },
    })
    expect(await sessionsOf(world, mission)).toMatchObject([{ status: 'active' }])
    expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: false })
    expect((await alice.eventsOf(mission))[0]).toMatchObject({ type: 'answer', summary: 'Spaces.' })
  })

  test(
    'stands in every reply until the next call says that it was read',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { questionId } = await agent.ask({ question: 'Tabs or spaces?' })
      await alice.answer(questionId, 'Spaces.')
      const pending = [
        { questionId, question: 'Tabs or spaces?', optionId: null, answer: 'Spaces.' },
      ]
      expect((await agent.heartbeat()).pendingAnswers).toEqual(pending)
      expect((await agent.heartbeat()).pendingAnswers).toEqual(pending)
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'answered' }])
      const said = { idempotencyKey: 'the-same' }
      expect((await agent.update({}, said)).pendingAnswers).toEqual(pending)
      expect((await agent.update({}, said)).pendingAnswers).toEqual(pending)
      expect((await agent.update()).pendingAnswers).toEqual([])
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'delivered' }])
    },
  )

  const note = { type: 'note', label: 'Note', contentText: 'x' }

  test(
    'that a reply carried was read when an artifact is added or revised, too',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { questionId } = await agent.ask()
      await alice.answer(questionId)
      const sessionKey = agent.sessionKey()
      const added = await alice.protocol('add-artifact', { sessionKey, ...note })
      expect(added).toMatchObject({ directive: 'continue', pendingAnswers: [{ questionId }] })
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'answered' }])
      const { id: artifactId, revision: expectedRevision } = added.artifact
      const revision = { artifactId, expectedRevision, label: 'Another' }
      const revised = await alice.protocol('update-artifact', { sessionKey, ...revision })
      expect(revised).toMatchObject({ directive: 'continue', pendingAnswers: [] })
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'delivered' }])
    },
  )

  test.for(['deliver', 'record-work'] as const)(
    'that a reply carried was read when the next call is %s',
    { tags: 'large' },
    async (operation, { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { questionId } = await agent.ask()
      await alice.answer(questionId)
      const sessionKey = agent.sessionKey()
      await alice.protocol('add-artifact', { sessionKey, ...note })
      const delivered = await alice.protocol(operation, { sessionKey, summary: 'Done.' })
      expect(delivered).toMatchObject({ pendingAnswers: [], objective: { state: 'complete' } })
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'delivered' }])
    },
  )

  test(
    'that no reply carried before the delivery is withdrawn',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { questionId } = await agent.ask()
      await alice.answer(questionId)
      expect((await agent.deliver()).pendingAnswers).toMatchObject([{ questionId }])
      expect(await alice.questionsOf(mission)).toMatchObject([{ status: 'withdrawn' }])
    },
  )

  test(
    'chooses one of the options, whose label the agent is told',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const options = [
        { id: 'tabs', label: 'Use tabs' },
        { id: 'spaces', label: 'Use spaces' },
      ]
      const { questionId: id } = await agent.ask({ options, allowFreeText: false })
      const refused = {
        code: 'validation_failed',
        message: expect.stringContaining('tabs, spaces'),
      }
      await expect(alice.answer(id, 'Neither.')).rejects.toMatchObject(refused)
      await expect(alice.call('answerQuestion', { id, optionId: 'x' })).rejects.toMatchObject(
        refused,
      )
      const other = await world.missionWith(['b'])
      const open = await (await world.attachedRun(other.mission.objectives[0])).agent.ask({})
      const message = 'This question has no options: answer it in words.'
      await expect(
        alice.call('answerQuestion', { id: open.questionId, optionId: 'x' }),
      ).rejects.toMatchObject({ code: 'validation_failed', message })
      await alice.call('answerQuestion', { id, optionId: 'tabs' })
      expect(await agent.ask({ questionId: id })).toMatchObject({
        answer: { optionId: 'tabs', text: 'Use tabs' },
      })
    },
  )

  test(
    'in words that are the id of an option is that option',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const options = [{ id: 'tabs', label: 'Use tabs' }]
      for (const allowFreeText of [true, false]) {
        const { questionId: id } = await agent.ask({ options, allowFreeText })
        const { question } = await alice.call('answerQuestion', { id, text: ' tabs\n' })
        expect(question.answer).toMatchObject({ optionId: 'tabs', text: 'Use tabs' })
        await agent.ask({ questionId: id })
      }
    },
  )

  test(
    'is the first one of 16 at once; the others are told whose',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const { questionId } = await agent.ask()
      const tries = await Promise.allSettled(
        Array.from({ length: 16 }, (_, index) => alice.answer(questionId, `Answer ${index}`)),
      )
      const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      expect(refusals).toHaveLength(15)
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ code: 'already_answered', details: { by: 'alice' } })
      }
      expect(await alice.mission(mission)).toMatchObject({ hasOpenQuestion: false })
    },
  )

  test('comes from a person alone', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const { agent } = await world.attachedRun(objective)
    const { questionId } = await agent.ask()
    const machines = [
      await alice.withPreset('runner'),
      await tokenForObjective(world, alice, objective),
    ]
    for (const machine of [...machines, world.vera]) {
      await expect(machine.answer(questionId)).rejects.toMatchObject({ code: 'forbidden' })
    }
    await world.bob.answer(questionId)
    expect(await alice.questionsOf(mission)).toMatchObject([{ answer: { by: 'bob' } }])
  })

  test('reaches an agent without a run with its next call, however late', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    await agent.attach()
    const { questionId = '' } = await agent.update({ text: undefined, question: 'Which one?' })
    const answered = await alice.answer(questionId, 'The second.')
    expect(answered.executionRequest).toBeNull()
    await world.advance(3600)
    await world.settle()
    expect((await agent.update()).pendingAnswers).toMatchObject([{ answer: 'The second.' }])
    await agent.deliver()
  })
})
