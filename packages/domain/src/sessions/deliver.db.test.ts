import { randomUUID } from 'node:crypto'
import { verifies } from '@svc/testing/verifies'
import { type Fault, withFault } from '@svc/testing/faults'
import { type World, test } from '@svc/testing/world'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

const rationale = (filePath: string) => ({ filePath, label: 'Parser', summary: 'Splits', why: 'Read twice', impact: 'None' })
const artifacts = [
  { type: 'next_steps', label: 'Next', contentText: 'Ship it' },
  { type: 'link', label: 'Preview', externalUrl: 'https://example.com/preview' },
]

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
      await ledger(world, agent, mission.objectives[0], [{ filePath: 'a.ts', vcsStatus: 'added' }])

      const delivered = await agent.deliver({ summary: 'Written.', artifacts, changeRationales: [rationale('a.ts'), rationale('b.ts')] })

      expect(delivered).toMatchObject({ objective: { state: 'complete' }, mission: { phase: 'review' }, next: null, warnings: [] })
      expect(delivered.objective.completedAt).not.toBeNull()
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      expect(deliveries).toMatchObject([{ id: delivered.deliveryId, summary: 'Written.', artifacts: [{ type: 'next_steps' }, { type: 'link' }] }])
      const listed = await alice.call('listArtifacts', { id: mission.id })
      expect(listed.artifacts.map((one) => [one.label, one.revision, one.deliveryId])).toEqual([
        ['Preview', 1, delivered.deliveryId],
        ['Next', 1, delivered.deliveryId],
      ])
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toMatchObject([
        { filePath: 'a.ts', vcsStatus: 'added', rationale: { label: 'Parser', summary: 'Splits', why: 'Read twice', impact: 'None' } },
        { filePath: 'b.ts', vcsStatus: null, rationale: { label: 'Parser' } },
      ])
      const events = await alice.eventsOf(mission)
      expect(events.find((one) => one.type === 'delivery')).toMatchObject({ summary: 'Written.', data: { deliveryId: delivered.deliveryId } })
      expect(await sessionOf(world, mission)).toMatchObject({ status: 'ended', end_reason: 'delivered', phase: 'review' })
      expect(await alice.request(lease)).toMatchObject({ status: 'launched', outcome: 'delivered', endedAt: null })
      expect((await alice.mission(mission)).status.type).toBe('review')
      expect(await undrained(world, mission)).toBe(0)
    },
  )

  test(
    verifies(['deliver.enqueues-mission-delivered', 'deliver.enqueues-objective-completed', 'event.mission-delivered', 'event.objective-completed'], 'tells the outbox, once each, with a job for each'),
    async ({ world }) => {
      const { mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const before = (await outboxOf(world, mission)).length
      const { deliveryId } = await agent.deliver()

      const events = (await outboxOf(world, mission)).slice(before)
      expect(events.map((one) => one.type).toSorted()).toEqual(['mission.delivered', 'mission.status_changed', 'objective.completed'])
      for (const event of events.filter((one) => one.type !== 'mission.status_changed')) {
        expect(event.snapshot).toMatchObject({
          objective: { id: mission.objectives[0].id, state: 'complete' },
          session: { agentIdentifier: 'scripted' },
          delivery: { id: deliveryId },
        })
      }
      expect(await jobsOf(world, events)).toEqual(events.map((one) => one.id).toSorted())
    },
  )

  test(verifies('objective.one-pass', 'completes its own objective alone'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    expect((await alice.mission(mission)).objectives.map((one) => one.state)).toEqual(['complete', 'awaiting_approval'])
  })

  test(
    verifies(['deliver.normalizes-evidence', 'deliver.stores-presentation', 'delivery.report-agent-report', 'delivery.report-evidence', 'delivery.report-presentation', 'delivery.report-schema-version'], 'stores the normalized report with its presentation'),
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

      const { rows } = await sql<{ report: object }>`select report from deliveries where mission_id = ${mission.id}`.execute(world.domain.db)
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      expect(deliveries[0]?.report).toEqual(rows[0]?.report)
      expect(deliveries[0]?.report).toMatchObject({
        schemaVersion: 1,
        agentReport: report,
        presentation: { status: 'deterministic', markdown: expect.stringContaining('**Blocking:** Rotate the key') },
      })
    },
  )

  test(verifies('delivery.legacy-report', 'from before reports reads as the one made of its summary'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver({ summary: 'Old work.' })
    await sql`update deliveries set report = null where mission_id = ${mission.id}`.execute(world.domain.db)
    const read = () => alice.call('listDeliveries', { id: mission.id })
    expect((await read()).deliveries[0]?.report).toMatchObject({ schemaVersion: 1, presentation: { markdown: 'Old work.' } })
    expect(await read()).toEqual(await read())
  })

  test.for(['', '   ', 'x'.repeat(20_001)])(verifies('deliver.summary-valid', 'needs a summary: %j is none'), async (summary, { world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const written = await world.rowsWrittenBy(() => agent.deliver({ summary }))
    expect(written.refusal).toBeInstanceOf(Error)
    expect(written.rows).toEqual([])
    expect((await alice.objective(mission.objectives[0])).state).toBe('executing')
  })

  test('is refused to a person who holds the key and is somebody else', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const sessionKey = agent.sessionKey()
    for (const other of [world.bob, world.carla]) {
      await expect(other.protocol('deliver', { sessionKey, summary: 'Mine.' })).rejects.toMatchObject({ code: 'not_found' })
    }
    const refusal = await world.bob.protocol('deliver', { sessionKey, summary: 'Mine.' }).catch((error: Error) => error)
    expect(String(refusal)).not.toContain(sessionKey)
    expect((await agent.deliver()).objective.state).toBe('complete')
  })

  test("may name its session by the objective's display id", async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    await world.agentOf(alice, { objectiveId: objective.displayId }).attach()
    const delivered = await alice.protocol('deliver', { sessionKey: objective.displayId, summary: 'Done.' })
    expect(delivered.objective).toMatchObject({ id: objective.id, state: 'complete' })
  })

  test('runs its run to the end: the exit report only closes it', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])
    await agent.deliver()
    expect(await runner.heartbeat(lease)).toMatchObject([{ ok: true, outcome: 'delivered' }])
    await runner.exited(lease)
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered', endedAt: expect.any(String) })
    expect((await alice.objective(mission.objectives[0])).state).toBe('complete')
  })
})

describe('all of it or nothing', () => {
  const parts: [string, Fault][] = [
    ['the delivery', { table: 'deliveries', operation: 'insert' }],
    ['an artifact', { table: 'artifacts', operation: 'insert' }],
    ['the mission event', { table: 'mission_events', operation: 'insert', when: `new.type = 'delivery'` }],
    ['the entity change', { table: 'entity_changes', operation: 'insert', when: `new.operation = 'deliver'` }],
    ['the objective', { table: 'objectives', operation: 'update', when: `new.state = 'complete'` }],
    ['the session', { table: 'agent_sessions', operation: 'update', when: `new.status = 'ended'` }],
    ['the run', { table: 'execution_requests', operation: 'update', when: `new.outcome = 'delivered'` }],
    ['the mission', { table: 'missions', operation: 'update' }],
    ['mission.delivered', { table: 'webhook_event', operation: 'insert', when: `new.type = 'mission.delivered'` }],
    ['objective.completed', { table: 'webhook_event', operation: 'insert', when: `new.type = 'objective.completed'` }],
  ]

  test.for(parts)(verifies('deliver.tx-atomic', '%s cannot be written: nothing is'), async ([, fault], { world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [objective] = mission.objectives
    const { agent } = await world.attachedRun(objective)
    await ledger(world, agent, objective, [{ filePath: 'a.ts', vcsStatus: 'added' }])
    const deliver = () => agent.deliver({ artifacts, changeRationales: [rationale('a.ts')] })

    const written = await withFault(world.domain.db, fault, () => world.rowsWrittenBy(deliver))

    expect(String(written.refusal)).toContain('made to fail')
    expect(written.rows).toEqual([])
    expect((await alice.objective(objective)).state).toBe('executing')
    // the agent's next try is a first one
    expect((await deliver()).next).toMatchObject({ state: 'launching' })
  })

  test('the job cannot be written: nothing is', async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from pgboss.job limit 1`.execute(world.domain.db)
    const fault: Fault = { table: rows[0]?.name ?? '', operation: 'insert' }
    const written = await withFault(world.domain.db, fault, () => world.rowsWrittenBy(() => agent.deliver()))
    expect(String(written.refusal)).toContain('made to fail')
    expect(written.rows).toEqual([])
  })

  test(verifies('deliver.rationale-never-rejects', 'save a rationale, which is dropped alone'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const fault: Fault = { table: 'change_rationales', operation: 'insert', when: `new.file_path = 'a.ts'` }
    const changeRationales = [rationale('a.ts'), rationale('b.ts'), { filePath: '/etc/passwd' }, 7]
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver({ changeRationales }))

    expect(delivered.objective.state).toBe('complete')
    expect(delivered.warnings).toHaveLength(3)
    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges.map((one) => one.filePath)).toEqual(['b.ts'])
  })

  test(verifies('deliver.ledger-item-warning', 'save a changed file, which is dropped alone'), async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await ledger(world, agent, mission.objectives[0], [
      { filePath: 'a.ts', vcsStatus: 'added' },
      { filePath: '../b.ts', vcsStatus: 'added' },
      { filePath: 'c.ts', vcsStatus: 'deleted' },
    ])
    const fault: Fault = { table: 'changed_files', operation: 'insert', when: `new.file_path = 'a.ts'` }
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver())

    expect(delivered.objective.state).toBe('complete')
    expect(delivered.warnings).toHaveLength(2)
    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges).toMatchObject([{ filePath: 'c.ts', vcsStatus: 'deleted' }])
    expect(await undrained(world, mission)).toBe(0)
  })

  test(verifies('deliver.ledger-sync-unavailable', 'save the whole ledger'), async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await ledger(world, agent, mission.objectives[0], [{ filePath: 'a.ts', vcsStatus: 'added' }])
    const fault: Fault = { table: 'ledger_batches', operation: 'update' }
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver())
    expect(delivered).toMatchObject({ objective: { state: 'complete' }, warnings: [expect.stringContaining('ledger')] })
  })

  test('save the launch of what comes next, which is owed and made by the sweep', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const fault: Fault = { table: 'execution_requests', operation: 'insert' }
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver())
    expect(delivered).toMatchObject({ objective: { state: 'complete' }, next: null, warnings: [expect.stringContaining('tried again')] })
    expect((await alice.objective(b)).state).toBe('draft')

    await world.settle()

    expect((await alice.objective(b)).state).toBe('launching')
    await world.settle()
    expect((await alice.requestsOf(mission)).filter((one) => one.objectiveId === b.id)).toHaveLength(1)
  })
})

describe('delivering again', () => {
  test('the same content gets the same delivery and does nothing more', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const { agent } = await world.attachedRun(mission.objectives[0])
    const said = { summary: 'Done.', artifacts, changeRationales: [rationale('a.ts'), { bad: true }] }
    const first = await agent.deliver(said)

    const again = await world.rowsWrittenBy(async () => {
      const second = await agent.deliver(said)
      expect(second).toMatchObject({ deliveryId: first.deliveryId, warnings: first.warnings, objective: first.objective })
      expect(second.next).toMatchObject({ objectiveId: mission.objectives[1].id, executionRequest: { id: first.next?.executionRequest?.id } })
    })

    expect(again).toEqual({ rows: [], refusal: undefined })
    expect(await alice.requestsOf(mission)).toHaveLength(2)
  })

  test.for([
    ['another summary', { summary: 'Otherwise.' }],
    ['another report', { summary: 'Done.', report: { risks: [{ text: 'x' }] } }],
    ['an artifact', { summary: 'Done.', artifacts }],
    ['a rationale', { summary: 'Done.', changeRationales: [rationale('a.ts')] }],
  ] as const)('%s is refused: the session has ended', async ([, said], { world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await agent.deliver({ summary: 'Done.' })
    const copy = JSON.parse(JSON.stringify(said)) as Parameters<typeof agent.deliver>[0]
    const written = await world.rowsWrittenBy(() => agent.deliver(copy))
    expect(written).toMatchObject({ rows: [], refusal: { code: 'session_ended', details: { endReason: 'delivered' } } })
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
    expect(await alice.request(lease)).toMatchObject({ outcome: 'delivered' })
    expect(await sessionOf(world, mission)).toMatchObject({ end_reason: 'delivered', phase: 'review' })
  })

  test('over a loss though another objective has the slot by now', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    await world.advance(1000)
    await world.settle()
    await world.attachedRun(b)
    await expect(agent.update()).rejects.toMatchObject({ code: 'mission_busy' })

    expect((await agent.deliver()).objective.state).toBe('complete')
    expect((await alice.objective(b)).state).toBe('executing')
  })

  test('no more once its objective was launched again', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await world.advance(1000)
    await world.settle()
    await alice.launch(mission.objectives[0])
    const written = await world.rowsWrittenBy(() => agent.deliver())
    expect(written).toMatchObject({ rows: [], refusal: { code: 'stale_execution' } })
  })
})

test(verifies('delivery.fields', 'a delivery read has its id, summary, report and artifacts'), async ({ world }) => {
  const { alice, mission } = await world.missionWith(['a'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const { deliveryId } = await agent.deliver({ artifacts })
  const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
  expect(deliveries).toHaveLength(1)
  expect(deliveries[0]).toMatchObject({
    id: deliveryId,
    summary: 'Done and checked.',
    report: { schemaVersion: 1 },
    artifacts: [{ label: 'Next' }, { label: 'Preview' }],
  })
})

type Items = { filePath: string; vcsStatus: string }[]

function ledger(world: World, agent: { sessionKey(): string }, objective: { id: string }, items: Items) {
  return world.alice.call('recordLedgerBatch', { id: objective.id, sessionKey: agent.sessionKey(), batchId: randomUUID(), seq: 1, items })
}

function sessionOf(world: World, mission: { id: string }) {
  return world.domain.db.selectFrom('agent_sessions').selectAll().where('mission_id', '=', mission.id).executeTakeFirst()
}

function outboxOf(world: World, mission: { id: string }) {
  return world.domain.db.selectFrom('webhook_event').selectAll().where('mission_id', '=', mission.id).orderBy('id').execute()
}

async function jobsOf(world: World, events: { id: string }[]): Promise<string[]> {
  const ids = events.map((one) => one.id)
  const { rows } = await sql<{ id: string }>`
    select id from pgboss.job where data ->> 'eventId' = any(${ids}) order by id`.execute(world.domain.db)
  return rows.map((one) => one.id)
}

async function undrained(world: World, mission: { id: string }): Promise<number> {
  const { rows } = await sql`
    select from ledger_batches where mission_id = ${mission.id} and drained_at is null`.execute(world.domain.db)
  return rows.length
}
