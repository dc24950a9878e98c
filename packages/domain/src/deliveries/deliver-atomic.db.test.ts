import { type Fault, withFault } from '@svc/testing/faults'
import { rationaleOf, sendLedger, twoArtifacts } from '../testing/samples.ts'
import { hearOfAll } from '../testing/stored.ts'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

describe('all of it or nothing', () => {
  const parts: [string, Fault][] = [
    ['the delivery', { table: 'deliveries', operation: 'insert' }],
    ['an artifact', { table: 'artifacts', operation: 'insert' }],
    [
      'the mission event',
      { table: 'mission_events', operation: 'insert', when: `new.type = 'delivery'` },
    ],
    [
      'the entity change',
      { table: 'entity_changes', operation: 'insert', when: `new.operation = 'deliver'` },
    ],
    ['the objective', { table: 'objectives', operation: 'update', when: `new.state = 'complete'` }],
    ['the session', { table: 'agent_sessions', operation: 'update', when: `new.status = 'ended'` }],
    [
      'the run',
      { table: 'execution_requests', operation: 'update', when: `new.outcome = 'delivered'` },
    ],
    ['the mission', { table: 'missions', operation: 'update' }],
    [
      'mission.delivered',
      { table: 'webhook_events', operation: 'insert', when: `new.type = 'mission.delivered'` },
    ],
    [
      'objective.completed',
      { table: 'webhook_events', operation: 'insert', when: `new.type = 'objective.completed'` },
    ],
  ]

  test.for(parts)(
    verifies('deliver.tx-atomic', '%s cannot be written: nothing is'),
    async ([, fault], { world }) => {
      const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
      const [objective] = mission.objectives
      const { agent } = await world.attachedRun(objective)
      await sendLedger(world.alice, {
        agent,
        objective: objective,
        items: [{ filePath: 'a.ts', vcsStatus: 'added' }],
      })
      const deliver = () =>
        agent.deliver({ artifacts: twoArtifacts, changeRationales: [rationaleOf('a.ts')] })

      const written = await withFault(world.domain.db, fault, () => world.rowsWrittenBy(deliver))

      expect(String(written.refusal)).toContain('made to fail')
      expect(written.rows).toEqual([])
      expect((await alice.objective(objective)).state).toBe('executing')
      // the agent's next try is a first one
      expect((await deliver()).next).toMatchObject({ state: 'launching' })
    },
  )

  test('the job cannot be written: nothing is', { tags: 'large' }, async ({ world }) => {
    await hearOfAll(world)
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from pgboss.job limit 1`.execute(world.domain.db)
    const fault: Fault = { table: rows[0]?.name ?? '', operation: 'insert' }
    const written = await withFault(world.domain.db, fault, () =>
      world.rowsWrittenBy(() => agent.deliver()),
    )
    expect(String(written.refusal)).toContain('made to fail')
    expect(written.rows).toEqual([])
  })

  test(
    verifies(
      ['deliver.rationale-never-rejects', 'rationale.canonical-path'],
      'save a rationale, which is dropped alone',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const fault: Fault = {
        table: 'change_rationales',
        operation: 'insert',
        when: `new.file_path = 'a.ts'`,
      }
      const changeRationales = [
        rationaleOf('a.ts'),
        rationaleOf('b.ts'),
        rationaleOf('./c//d.ts'),
        7,
      ]
      const delivered = await withFault(world.domain.db, fault, () =>
        agent.deliver({ changeRationales }),
      )

      expect(delivered.objective.state).toBe('complete')
      expect(delivered.warnings).toHaveLength(3)
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges.map((one) => one.filePath)).toEqual(['b.ts'])
    },
  )

  test(
    verifies('deliver.ledger-item-warning', 'save a changed file, which is dropped alone'),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      await sendLedger(world.alice, {
        agent,
        objective: mission.objectives[0],
        items: [
          { filePath: 'a.ts', vcsStatus: 'added' },
          { filePath: '../b.ts', vcsStatus: 'added' },
          { filePath: 'c.ts', vcsStatus: 'deleted' },
        ],
      })
      const fault: Fault = {
        table: 'changed_files',
        operation: 'insert',
        when: `new.file_path = 'a.ts'`,
      }
      const delivered = await withFault(world.domain.db, fault, () => agent.deliver())

      expect(delivered.objective.state).toBe('complete')
      expect(delivered.warnings).toHaveLength(2)
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toMatchObject([{ filePath: 'c.ts', vcsStatus: 'deleted' }])
      expect(await undrained(world, mission)).toBe(0)
    },
  )

  test(verifies('deliver.ledger-sync-unavailable', 'save the whole ledger'), async ({ world }) => {
    const { mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    await sendLedger(world.alice, {
      agent,
      objective: mission.objectives[0],
      items: [{ filePath: 'a.ts', vcsStatus: 'added' }],
    })
    const fault: Fault = { table: 'ledger_batches', operation: 'update' }
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver())
    expect(delivered).toMatchObject({
      objective: { state: 'complete' },
      warnings: [expect.stringContaining('ledger')],
    })
  })

  test('save the launch of what comes next, which stays pending and is made by the sweep', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'], { auto_advance: true })
    const [a, b] = mission.objectives
    const { agent } = await world.attachedRun(a)
    const fault: Fault = { table: 'execution_requests', operation: 'insert' }
    const delivered = await withFault(world.domain.db, fault, () => agent.deliver())
    expect(delivered).toMatchObject({
      objective: { state: 'complete' },
      next: null,
      warnings: [expect.stringContaining('tried again')],
    })
    expect((await alice.objective(b)).state).toBe('draft')

    await world.settle()

    expect((await alice.objective(b)).state).toBe('launching')
    await world.settle()
    expect(
      (await alice.requestsOf(mission)).filter((one) => one.objectiveId === b.id),
    ).toHaveLength(1)
  })
})

async function undrained(world: World, mission: { id: string }): Promise<number> {
  const { rows } = await sql`
    select from ledger_batches where mission_id = ${mission.id} and drained_at is null`.execute(
    world.domain.db,
  )
  return rows.length
}
