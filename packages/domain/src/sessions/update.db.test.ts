import { verifies } from '@svc/testing/verifies'
import { withFault } from '@svc/testing/faults'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const rationale = (filePath: string) => ({
  filePath,
  label: 'l',
  summary: 's',
  why: 'w',
  impact: 'i',
})

describe('an update', () => {
  test(
    verifies(
      ['update.keeps-state', 'protocol.update'],
      'is an event of the mission and moves nothing',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent, lease } = await world.attachedRun(mission.objectives[0])
      const before = [
        await alice.objective(mission.objectives[0]),
        await alice.mission(mission),
        (await alice.request(lease)).outcome,
      ]

      const { eventId, warnings, directive } = await agent.update({ text: 'Half of it is done.' })

      expect([
        await alice.objective(mission.objectives[0]),
        await alice.mission(mission),
        (await alice.request(lease)).outcome,
      ]).toEqual(before)
      expect({ warnings, directive }).toEqual({ warnings: [], directive: 'continue' })
      expect((await alice.eventsOf(mission))[0]).toMatchObject({
        id: eventId,
        type: 'update',
        summary: 'Half of it is done.',
        objectiveId: mission.objectives[0].id,
        actor: { name: 'alice', role: 'agent' },
      })
    },
  )

  test(
    'keeps rationales without an event; bad ones are warnings',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const changeRationales = [rationale('a.ts'), { ...rationale('b.ts'), extra: 1 }]
      const answer = await agent.update({ text: undefined, changeRationales })
      expect(answer).toMatchObject({
        eventId: null,
        warnings: [expect.stringContaining('changeRationales[1]')],
      })
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toMatchObject([
        { filePath: 'a.ts', vcsStatus: null, rationale: { label: 'l' } },
      ])
      await expect(agent.update({ text: undefined })).rejects.toMatchObject({
        code: 'validation_failed',
      })
    },
  )

  test(
    'that met a deadlock is made again, with its warnings once',
    { tags: 'large' },
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const fault = {
        table: 'mission_events',
        operation: 'insert',
        code: '40P01',
        times: 2,
      } as const
      const answer = await withFault(world.domain.db, fault, () =>
        agent.update({ text: 'Once.', changeRationales: [null] }),
      )
      expect(answer.warnings).toHaveLength(1)
      const events = await alice.eventsOf(mission)
      expect(events.filter((one) => one.summary === 'Once.')).toHaveLength(1)
    },
  )

  test(
    'is refused to who holds the key and is somebody else',
    { tags: 'large' },
    async ({ world }) => {
      const { mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const sessionKey = agent.sessionKey()
      for (const other of [world.bob, world.carla]) {
        const written = await world.rowsWrittenBy(() =>
          other.protocol('update', { sessionKey, text: 'Mine.' }),
        )
        expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
      }
    },
  )

  test('of a run that was taken over is stale', { tags: 'large' }, async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent, runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.exited(lease)
    await expect(agent.update()).rejects.toMatchObject({
      code: 'session_ended',
      details: { endReason: 'exited' },
    })
    await world.alice.launch(mission.objectives[0])
    await expect(agent.update()).rejects.toMatchObject({ code: 'stale_execution' })
  })
})

describe('a heartbeat', () => {
  test(
    verifies(['heartbeat.keeps-state', 'protocol.heartbeat'], 'is a sign of life and nothing else'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const before = [await alice.objective(mission.objectives[0]), await alice.eventsOf(mission)]
      const { lastHeardAt } = await agent.heartbeat()
      await world.advance(60)

      const later = await agent.heartbeat({ percent: 50, note: 'half' })

      expect(Date.parse(later.lastHeardAt) - Date.parse(lastHeardAt)).toBeGreaterThanOrEqual(60_000)
      expect([await alice.objective(mission.objectives[0]), await alice.eventsOf(mission)]).toEqual(
        before,
      )
      const written = await world.rowsWrittenBy(() => agent.heartbeat())
      expect(written).toEqual({ rows: ['agent_sessions'], refusal: undefined })
    },
  )
})

describe('every call is a sign of life', () => {
  const calls = ['update', 'heartbeat'] as const

  test.for(calls)(
    '%s keeps a session from going stale and lost',
    { tags: 'large' },
    async (call, { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const agent = world.agentOf(alice, { missionId: mission.id })
      await agent.attach()
      for (let minutes = 0; minutes < 20; minutes += 4) {
        await world.advance(240)
        await agent[call]()
        await world.settle()
      }
      expect(await statusOf(world, mission)).toBe('active')
    },
  )

  test.for(calls)('%s wakes a stale session', async (call, { world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const agent = world.agentOf(alice, { missionId: mission.id })
    await agent.attach()
    await world.advance(301)
    await world.settle()
    expect(await statusOf(world, mission)).toBe('stale')
    await agent[call]()
    expect(await statusOf(world, mission)).toBe('active')
  })

  test.for(calls)(
    '%s brings a lost session and its objective back',
    { tags: 'large' },
    async (call, { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent, lease } = await world.attachedRun(mission.objectives[0])
      await world.advance(1000)
      await world.settle()
      expect(await statusOf(world, mission)).toBe('lost')

      await agent[call]()

      expect(await statusOf(world, mission)).toBe('active')
      expect(await alice.objective(mission.objectives[0])).toMatchObject({
        state: 'executing',
        lastOutcome: null,
      })
      expect(await alice.request(lease)).toMatchObject({ outcome: 'running' })
      expect((await alice.eventsOf(mission)).some((one) => one.type === 'session_revived')).toBe(
        true,
      )
    },
  )
})

async function statusOf(world: World, mission: { id: string }) {
  const row = await world.domain.db
    .selectFrom('agent_sessions')
    .select('status')
    .where('mission_id', '=', mission.id)
    .executeTakeFirst()
  return row?.status
}

test(
  'a heartbeat keeps what it says of the progress, the last of each, and the feed tells it',
  { tags: 'large' },
  async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease } = await world.attachedRun(mission.objectives[0])
    expect(await alice.request(lease)).toMatchObject({ progress: null })
    await agent.heartbeat({ percent: 40, note: 'running tests' })
    await agent.heartbeat({ percent: 62.5 })
    await agent.heartbeat()
    const progress = { percent: 62.5, note: 'running tests' }
    expect(await alice.request(lease)).toMatchObject({ progress })
    const stored = await world.domain.db
      .selectFrom('entity_changes')
      .select('data')
      .where('mission_id', '=', mission.id)
      .where('operation', '=', 'progress')
      .orderBy('seq')
      .execute()
    expect(stored.map((one) => one.data)).toMatchObject([{ percent: 40 }, progress])
  },
)
