import { rationaleOf, sendLedger, twoArtifacts } from '../testing/samples.ts'
import { hearOfAll, jobsOf, outboxOf, sessionsOf } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

describe('a delivery', () => {
  test(
    verifies(
      [
        'deliver.completes',
        'deliver.writes-delivery',
        'deliver.writes-artifacts',
        'deliver.writes-rationales',
        'deliver.mission-event',
        'deliver.session-phase',
        'deliver.mission-review',
        'deliver.drains-ledger',
        'protocol.deliver',
        'mission.phase',
      ],
      'does all that its row says',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['write the docs'])
      const { agent, lease } = await world.attachedRun(mission.objectives[0])
      expect((await alice.mission(mission)).phase).toBe('execute')
      await sendLedger(world.alice, {
        agent,
        objective: mission.objectives[0],
        items: [{ filePath: 'a.ts', vcsStatus: 'added' }],
      })

      const delivered = await agent.deliver({
        summary: 'Written.',
        artifacts: twoArtifacts,
        changeRationales: [rationaleOf('a.ts'), rationaleOf('b.ts')],
      })

      expect(delivered).toMatchObject({
        objective: { state: 'complete' },
        mission: { phase: 'review' },
        next: null,
        warnings: [],
      })
      expect(delivered.objective.completedAt).not.toBeNull()
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      expect(deliveries).toMatchObject([
        {
          id: delivered.deliveryId,
          summary: 'Written.',
          artifacts: [{ type: 'next_steps' }, { type: 'link' }],
        },
      ])
      const listed = await alice.call('listArtifacts', { id: mission.id })
      expect(listed.artifacts.map((one) => [one.label, one.revision, one.deliveryId])).toEqual([
        ['Preview', 1, delivered.deliveryId],
        ['Next', 1, delivered.deliveryId],
      ])
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toMatchObject([
        {
          filePath: 'a.ts',
          vcsStatus: 'added',
          rationale: { label: 'Parser', summary: 'Splits', why: 'Read twice', impact: 'None' },
        },
        { filePath: 'b.ts', vcsStatus: null, rationale: { label: 'Parser' } },
      ])
      const events = await alice.eventsOf(mission)
      expect(events.find((one) => one.type === 'delivery')).toMatchObject({
        summary: 'Written.',
        data: { deliveryId: delivered.deliveryId },
      })
      expect(await sessionsOf(world, mission)).toMatchObject([
        {
          status: 'ended',
          end_reason: 'delivered',
          phase: 'review',
        },
      ])
      expect(await alice.request(lease)).toMatchObject({
        status: 'launched',
        outcome: 'delivered',
        endedAt: null,
      })
      expect((await alice.mission(mission)).status.type).toBe('review')
      expect(await undrained(world, mission)).toBe(0)
    },
  )

  test(
    verifies(
      [
        'deliver.enqueues-mission-delivered',
        'deliver.enqueues-objective-completed',
        'event.mission-delivered',
        'event.objective-completed',
      ],
      'tells the outbox, once each, with a job for each',
    ),
    async ({ world }) => {
      await hearOfAll(world)
      const { mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const before = (await outboxOf(world, mission)).length
      const { deliveryId } = await agent.deliver()

      const events = (await outboxOf(world, mission)).slice(before)
      expect(events.map((one) => one.type).toSorted()).toEqual([
        'mission.delivered',
        'mission.status_changed',
        'objective.completed',
      ])
      for (const event of events.filter((one) => one.type !== 'mission.status_changed')) {
        expect(event.snapshot).toMatchObject({
          objective: { id: mission.objectives[0].id, state: 'complete' },
          session: { agentIdentifier: 'scripted' },
          delivery: { id: deliveryId },
        })
      }
      expect((await jobsOf(world, events)).map((one) => one.id)).toEqual(
        events.map((one) => one.id),
      )
    },
  )

  test(verifies('objective.one-pass', 'completes its own objective alone'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual([
      'complete',
      'awaiting_approval',
    ])
  })

  test(
    verifies(
      [
        'deliver.normalizes-evidence',
        'deliver.stores-presentation',
        'delivery.report-agent-report',
        'delivery.report-evidence',
        'delivery.report-presentation',
        'delivery.report-schema-version',
      ],
      'stores the normalized report with its presentation',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const report = {
        humanActions: [{ action: 'Rotate the key', blocking: true }],
        tradeoffsMade: [{ decision: 'No cache' }],
        risks: [{ text: 'Races', evidence: 'the log' }],
        deferredWork: [{ text: 'Docs', evidence: 'a list' }],
        assumptions: [{ text: 'UTC', evidence: 'the spec' }],
      }
      await agent.deliver({ report })

      const { rows } = await sql<{
        report: object
      }>`select report from deliveries where mission_id = ${mission.id}`.execute(world.domain.db)
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      expect(deliveries[0]?.report).toEqual(rows[0]?.report)
      expect(deliveries[0]?.report).toMatchObject({
        schemaVersion: 1,
        agentReport: report,
        presentation: {
          status: 'deterministic',
          markdown: expect.stringContaining('**Blocking:** Rotate the key'),
        },
      })
    },
  )

  test.for([
    ['deliver', 'the protocol'],
    ['record-work', 'the protocol'],
    ['deliver', 'a tool'],
    ['record-work', 'a tool'],
  ] as const)(
    verifies('delivery.report-normalized', 'is refused for nothing in its report: %s by %s'),
    async ([operation, way], { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const report = {
        humanActions: ['Rotate the key', { action: 'x'.repeat(5000), nobody_knows: 1 }],
        risks: Array.from({ length: 2000 }, () => ({ text: 'a\0b' })),
        nobody_knows: [],
      }
      const said = { sessionKey: agent.sessionKey(), summary: 'Done.', report }
      const tool = operation === 'deliver' ? 'svc_deliver_session' : 'svc_record_work'
      const answer = await (way === 'the protocol'
        ? alice.protocol(operation, said)
        : alice.tool(tool, said))
      expect(answer.objective.state).toBe('complete')
      expect(answer.warnings).toEqual(
        expect.arrayContaining([
          expect.stringContaining('report: nobody_knows dropped'),
          expect.stringContaining('report.humanActions[0] is read as its action'),
          expect.stringContaining('report.risks: 1900 dropped'),
        ]),
      )
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      const { humanActions = [], risks = [] } = deliveries[0]?.report.agentReport ?? {}
      expect(humanActions.map(({ action }) => action.slice(0, 3))).toEqual(['Rot', 'xxx'])
      expect([risks[0], risks.length]).toEqual([{ text: 'a\uFFFDb' }, 100])
    },
  )

  test(
    verifies('delivery.legacy-report', 'from before reports reads as the one made of its summary'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      await agent.deliver({ summary: 'Old work.' })
      await sql`update deliveries set report = null where mission_id = ${mission.id}`.execute(
        world.domain.db,
      )
      const read = () => alice.call('listDeliveries', { id: mission.id })
      expect((await read()).deliveries[0]?.report).toMatchObject({
        schemaVersion: 1,
        presentation: { markdown: 'Old work.' },
      })
      expect(await read()).toEqual(await read())
    },
  )

  test.for(['', '   ', 'x'.repeat(20_001)])(
    verifies('deliver.summary-valid', 'needs a summary: %j is none'),
    async (summary, { world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const written = await world.rowsWrittenBy(() => agent.deliver({ summary }))
      expect(written.refusal).toBeInstanceOf(Error)
      expect(written.rows).toEqual([])
      expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
    },
  )

  test('is refused to a person who holds the key and is somebody else', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const sessionKey = agent.sessionKey()
    for (const other of [world.bob, world.carla]) {
      await expect(
        other.protocol('deliver', { sessionKey, summary: 'Mine.' }),
      ).rejects.toMatchObject({ code: 'not_found' })
    }
    const refusal = await world.bob
      .protocol('deliver', { sessionKey, summary: 'Mine.' })
      .catch((error: Error) => error.message)
    expect(refusal).not.toContain(sessionKey)
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test("may name its session by the objective's display id", async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await world.agentOf(alice, { objectiveId: objective.displayId }).attach()
    const delivered = await alice.protocol('deliver', {
      sessionKey: objective.displayId,
      summary: 'Done.',
    })
    expect(delivered.objective).toMatchObject({ id: objective.id, state: 'complete' })
  })

  test('runs its run to the end: the exit report only closes it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'delivered' }])
    await runner.exited(lease)
    expect(await alice.request(lease)).toMatchObject({
      outcome: 'delivered',
      endedAt: expect.any(String),
    })
    expect((await alice.objective(mission.objectives[0])).state).toBe('complete')
  })
})

test(
  verifies('delivery.fields', 'a delivery read has its id, summary, report and artifacts'),
  async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { deliveryId } = await agent.deliver({ artifacts: twoArtifacts })
    const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]).toMatchObject({
      id: deliveryId,
      summary: 'Done and checked.',
      report: { schemaVersion: 1 },
      artifacts: [{ label: 'Next' }, { label: 'Preview' }],
    })
  },
)

async function undrained(world: World, mission: { id: string }): Promise<number> {
  const { rows } = await sql`
    select from ledger_batches where mission_id = ${mission.id} and drained_at is null`.execute(
    world.domain.db,
  )
  return rows.length
}

test('a token that an agent writes is kept nowhere', { tags: 'large' }, async ({ world }) => {
  const { alice, mission } = await world.missionWith(['write the docs'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const { token } = await alice.withPreset('read_only')
  const said = `It calls with ${token}, as told.`

  await agent.update({ text: said })
  await agent.deliver({
    summary: said,
    report: { risks: [{ text: said, evidence: said }] },
    artifacts: [{ type: 'note', label: 'Notes', contentText: said }],
    changeRationales: [{ ...rationaleOf('a.ts'), why: said }],
  })

  const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
  expect(deliveries[0]?.summary).toBe('It calls with svcut_…(masked), as told.')
  for (const table of [
    'mission_events',
    'deliveries',
    'artifacts',
    'change_rationales',
    'webhook_events',
    'entity_changes',
  ] as const) {
    const rows = await world.domain.db.selectFrom(table).selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  }
})
