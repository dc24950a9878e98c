import { randomUUID } from 'node:crypto'
import { verifies } from '@svc/testing/verifies'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const added = (filePath: string) => ({ filePath, vcsStatus: 'added' })

describe('a ledger batch', () => {
  test('is answered item by item', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { items, directive } = await alice.call('recordLedgerBatch', {
      id: mission.objectives[0].displayId,
      sessionKey: agent.sessionKey(),
      batchId: randomUUID(),
      seq: 0,
      items: [
        added('a.ts'),
        { filePath: 'a.ts', vcsStatus: 'modified' },
        added('/b.ts'),
        null,
        { ...added('c.ts'), size: 1 },
      ],
    })
    expect(items.map((one) => one.result)).toEqual([
      'ignored',
      'accepted',
      'warning',
      'warning',
      'warning',
    ])
    expect(items[2]?.message).toContain('relative path')
    expect(directive).toBe('continue')
  })

  test('sent again gets the first answer and counts once', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const batch = {
      id: mission.objectives[0].id,
      sessionKey: agent.sessionKey(),
      batchId: randomUUID(),
      seq: 1,
    }
    const first = await alice.call('recordLedgerBatch', { ...batch, items: [added('a.ts')] })
    const again = await alice.call('recordLedgerBatch', {
      ...batch,
      items: [added('b.ts'), added('c.ts')],
    })
    expect(again).toEqual(first)
    await agent.deliver()
    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges.map((one) => one.filePath)).toEqual(['a.ts'])
  })

  test(
    verifies(
      'rationale.changed-file-fields',
      'is read after the delivery, the last observation of each path',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent } = await world.attachedRun(mission.objectives[0])
      const send = (seq: number, items: object[]) =>
        alice.call('recordLedgerBatch', {
          id: mission.objectives[0].id,
          sessionKey: agent.sessionKey(),
          batchId: randomUUID(),
          seq,
          items,
        })
      await send(2, [{ filePath: 'a.ts', vcsStatus: 'deleted' }])
      await send(1, [added('a.ts'), added('b.ts')])
      expect((await alice.call('listFileChanges', { id: mission.id })).fileChanges).toEqual([])

      await agent.deliver()

      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges.map(({ filePath, vcsStatus }) => [filePath, vcsStatus])).toEqual([
        ['a.ts', 'deleted'],
        ['b.ts', 'added'],
      ])
    },
  )

  test(
    verifies(
      ['rationale.advisory', 'rationale.fields', 'rationale.hunks'],
      'and a rationale of the same file are read as one change',
    ),
    async ({ world }) => {
      const { alice, mission } = await world.missionWith(['a'])
      const { agent, lease, runner } = await world.attachedRun(mission.objectives[0])
      await alice.call('recordLedgerBatch', {
        id: mission.objectives[0].id,
        sessionKey: agent.sessionKey(),
        batchId: randomUUID(),
        seq: 1,
        items: [added('a.ts')],
      })
      const hunks = [{ header: '@@ -1 +1 @@' }]
      await agent.deliver({
        changeRationales: [
          { filePath: 'a.ts', label: 'l', summary: 's', why: 'w', impact: 'i', hunks },
        ],
      })
      await runner.diff(lease, {
        stat: [
          { filePath: 'a.ts', additions: 3, deletions: 1 },
          { filePath: 'z.ts', additions: 1, deletions: 0 },
        ],
      })
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toEqual([
        {
          objectiveId: mission.objectives[0].id,
          filePath: 'a.ts',
          vcsStatus: 'added',
          rationale: { label: 'l', summary: 's', why: 'w', impact: 'i', hunks },
          additions: 3,
          deletions: 1,
        },
        expect.objectContaining({
          filePath: 'z.ts',
          vcsStatus: null,
          rationale: null,
          additions: 1,
        }),
      ])
    },
  )

  test('counts no more for a file that is not in the complete diff of its run', async ({
    world,
  }) => {
    const { alice, mission } = await world.missionWith(['a'])
    const [objective] = mission.objectives
    const sendBatch = (agent: { sessionKey: () => string }, paths: string[]) =>
      alice.call('recordLedgerBatch', {
        id: objective.id,
        sessionKey: agent.sessionKey(),
        batchId: randomUUID(),
        seq: 0,
        items: paths.map(added),
      })
    const kept = async () =>
      (await alice.call('listFileChanges', { id: mission.id })).fileChanges.map(
        ({ filePath }) => filePath,
      )
    const first = await world.attachedRun(objective)
    await sendBatch(first.agent, ['earlier.ts'])
    await first.runner.exited(first.lease, { exitCode: 1 })
    const { agent, lease, runner } = await world.attachedRun(objective)
    await sendBatch(agent, ['stays.ts', 'gone.ts', 'docs:elsewhere.md'])
    await agent.deliver()
    const all = ['docs:elsewhere.md', 'earlier.ts', 'gone.ts', 'stays.ts']
    const stat = [{ filePath: 'stays.ts', additions: 1, deletions: 0 }]

    await runner.diff(lease, { stat })
    expect(await kept()).toEqual(all)
    await runner.diff(lease, { stat, complete: true })
    expect(await kept()).toEqual(all.filter((path) => path !== 'gone.ts'))
  })

  test('of a session goes to its own objective alone', { tags: 'large' }, async ({ world }) => {
    const { alice, mission } = await world.missionWith(['a', 'b'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const batch = {
      sessionKey: agent.sessionKey(),
      batchId: randomUUID(),
      seq: 1,
      items: [added('a.ts')],
    }
    const written = await world.rowsWrittenBy(() =>
      alice.call('recordLedgerBatch', { id: mission.objectives[1].id, ...batch }),
    )
    expect(written).toMatchObject({ rows: [], refusal: { code: 'not_found' } })
    await expect(
      world.bob.call('recordLedgerBatch', { id: mission.objectives[0].id, ...batch }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a look at the checkout', () => {
  type Part = [number: number, of: number, paths: string[]]

  async function keptOf(world: World, ...batches: Part[]) {
    const { alice, mission } = await world.missionWith(['a'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    for (const [seq, [number, of, paths]] of batches.entries()) {
      await alice.call('recordLedgerBatch', {
        id: mission.objectives[0].id,
        sessionKey: agent.sessionKey(),
        batchId: randomUUID(),
        seq,
        ...(of > 0 && { part: { number, of } }),
        items: paths.map(added),
      })
    }
    const { warnings } = await agent.deliver()
    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id, limit: 200 })
    return { paths: fileChanges.map((one) => one.filePath), warnings }
  }

  test('leaves out what is changed no more', { tags: 'large' }, async ({ world }) => {
    const batches: Part[] = [
      [1, 2, ['a', 'b']],
      [2, 2, ['c']],
      [1, 1, ['b', 'd']],
    ]
    expect(await keptOf(world, ...batches)).toEqual({ paths: ['b', 'd'], warnings: [] })
    expect(await keptOf(world, ...batches, [1, 1, []])).toEqual({ paths: [], warnings: [] })
  })

  test('of which a part is missing adds, and so does a batch that is no part', async ({
    world,
  }) => {
    const batches: Part[] = [
      [1, 1, ['a']],
      [1, 1, ['b']],
      [0, 0, ['c']],
      [1, 2, ['d']],
    ]
    expect((await keptOf(world, ...batches)).paths).toEqual(['b', 'c', 'd'])
  })

  test(
    'of too many files leaves the first out, with one warning',
    { tags: 'large' },
    async ({ world }) => {
      const paths = (part: number) => Array.from({ length: 500 }, (_, index) => `${part}/${index}`)
      const batches = Array.from({ length: 11 }, (_, part): Part => [
        part + 1,
        11,
        paths(part + 10),
      ])
      const kept = await keptOf(world, ...batches)
      expect(kept.paths[0]).toBe('11/0')
      expect(kept.warnings).toEqual([expect.stringContaining('5000')])
    },
  )
})
