import { createHash } from 'node:crypto'
import { limits } from '@svc/contracts/limits'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Lease, TestRunner } from '../testing/runner.ts'
import { type World, test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

const [baseSha, headSha] = ['a'.repeat(40), 'b'.repeat(40)]
const patchOf = (path: string, text = path) => `diff --git a/${path} b/${path}\n+${text}\n`
const unsaid = { vcsStatus: null, label: null }
const fileOf = (filePath: string) => ({ filePath, additions: 1, deletions: 0 })

/** A report in parts, as a supervisor sends it; each call may be made again. */
function reportOf({ call }: TestRunner, { id, leaseToken }: Lease, name: string) {
  const report = createHash('sha256').update(name).digest('hex')
  const named = { id, leaseToken, report }
  return {
    report,
    files: (from: number, ...paths: string[]) =>
      call('reportRunFiles', { ...named, from, files: paths.map(fileOf) }),
    patches: (...patches: [position: number, patch: string][]) =>
      call('reportRunPatches', {
        ...named,
        patches: patches.map(([position, patch]) => ({ position, patch })),
      }),
    complete: (files: number, patches: number, more?: Partial<RouteRequest<'completeRunFiles'>>) =>
      call('completeRunFiles', {
        ...named,
        baseSha,
        headSha,
        files,
        patches,
        truncated: false,
        dirty: false,
        ...more,
      }),
  }
}

async function running(world: World) {
  const { alice, mission } = await world.missionWith(['write the docs'])
  const { runner, lease, agent } = await world.attachedRun(mission.objectives[0])
  const list = async (query: Partial<RouteRequest<'listRunFiles'>> = {}) =>
    await alice.call('listRunFiles', { id: lease.id, ...query })
  const names = async () => (await list()).files.map(({ filePath }) => filePath)
  return { alice, mission, runner, lease, agent, list, names }
}

describe('what a run changed, reported in parts', () => {
  test('is listed in pages, each patch by itself or with its page', async ({ world }) => {
    const { alice, runner, lease, list } = await running(world)
    const { report, files, patches, complete } = reportOf(runner, lease, 'one')
    await files(0, 'a.ts', 'b.ts')
    await files(2, 'c.ts')
    await patches([0, patchOf('a.ts')], [2, patchOf('c.ts')])
    await complete(3, 2, { truncated: true, dirty: true })

    const sums = { files: 3, additions: 3, deletions: 0, truncated: true, dirty: true }
    const changes = { report, baseSha, headSha, ...sums }
    const first = await list({ limit: 2 })
    const patchBytes = patchOf('a.ts').length
    expect(first).toEqual({
      changes,
      files: [
        { ...fileOf('a.ts'), ...unsaid, position: 0, patchBytes },
        { ...fileOf('b.ts'), ...unsaid, position: 1, patchBytes: null },
      ],
      nextCursor: '1',
    })
    const rest = await list({ cursor: '1', patches: 'true' })
    const last = { ...fileOf('c.ts'), ...unsaid, position: 2, patchBytes, patch: patchOf('c.ts') }
    expect(rest).toEqual({ changes, files: [last] })
    const at = (position: number) => alice.call('getRunFile', { id: lease.id, position })
    expect(await at(2)).toEqual({ changes, file: last, rationale: null })
    await expect(at(3)).rejects.toMatchObject({ code: 'not_found' })
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('stands once it is whole, and the report before it until then', async ({ world }) => {
    const { runner, lease, names } = await running(world)
    const one = reportOf(runner, lease, 'one')
    await one.files(0, 'a.ts')
    await expect(names()).rejects.toMatchObject({ code: 'not_found' })
    await one.complete(1, 0)
    const two = reportOf(runner, lease, 'two')
    await two.files(0, 'b.ts', 'c.ts')
    for (const [files, patches] of [
      [3, 0],
      [1, 0],
      [2, 1],
    ] as const) {
      await expect(two.complete(files, patches)).rejects.toMatchObject({
        code: 'validation_failed',
      })
    }
    expect(await names()).toEqual(['a.ts'])
    await two.complete(2, 0)
    expect(await names()).toEqual(['b.ts', 'c.ts'])
  })

  test('takes each part that comes again once, also when it stands', async ({ world }) => {
    const { runner, lease, list } = await running(world)
    const parts = reportOf(runner, lease, 'one')
    const steps = [
      () => parts.files(0, 'a.ts', 'b.ts'),
      () => parts.patches([0, patchOf('a.ts')]),
      () => parts.patches([1, patchOf('b.ts')]),
      () => parts.complete(2, 2),
    ]
    for (const step of steps) {
      await step()
      await step()
    }
    const whole = await list({ patches: 'true' })
    for (const step of steps) await step()
    expect(await list({ patches: 'true' })).toEqual(whole)
    expect(whole.files.map(({ patch }) => patch)).toEqual([patchOf('a.ts'), patchOf('b.ts')])
  })

  test('leaves nothing of a report that was begun and given up', async ({ world }) => {
    const { runner, lease, names } = await running(world)
    const rows = () =>
      world.domain.db
        .selectFrom('run_files')
        .select(['report', 'file_path'])
        .where('execution_request_id', '=', lease.id)
        .execute()
    const lost = reportOf(runner, lease, 'lost')
    await lost.files(0, 'a.ts', 'b.ts')
    const next = reportOf(runner, lease, 'next')
    await next.files(0, 'a.ts')
    expect(await rows()).toEqual([{ report: next.report, file_path: 'a.ts' }])
    await expect(lost.patches([0, patchOf('a.ts')])).rejects.toMatchObject({ code: 'not_found' })
    await next.complete(1, 0)
    await runner.diff(lease, { stat: [fileOf('c.ts')], patch: patchOf('c.ts') })
    expect(await rows()).toEqual([{ report: 'whole', file_path: 'c.ts' }])
    expect(await names()).toEqual(['c.ts'])
  })

  test('is bounded in its files and its patches', async ({ world }) => {
    const { runner, lease } = await running(world)
    const { files, patches } = reportOf(runner, lease, 'one')
    await expect(files(limits.runFiles, 'a.ts')).rejects.toThrow(/5000 files at most/)
    await files(0, ...Array.from({ length: 40 }, (_, n) => `f${n}`))
    const large = 'x'.repeat(limits.runFilePatchBytes)
    for (let n = 0; n < 32; n += 8) {
      await patches(...Array.from({ length: 8 }, (_, m) => [n + m, large] as [number, string]))
    }
    await patches([0, large])
    await expect(patches([32, 'x'])).rejects.toMatchObject({ code: 'too_large' })
    await patches([31, 'x'], [32, 'x'])
  })

  test('is shown in one to whom asks for that, as far as it fits', async ({ world }) => {
    const { alice, runner, lease } = await running(world)
    const paths = Array.from({ length: 1_001 }, (_, n) => `f${String(n).padStart(4, '0')}`)
    const { files, patches, complete } = reportOf(runner, lease, 'one')
    await files(0, ...paths.slice(0, 1_000))
    await files(1_000, ...paths.slice(1_000))
    const half = 'x'.repeat(limits.diffPatchBytes / 2)
    await patches([0, patchOf('f0000', half)], [1, patchOf('f0001')], [2, patchOf('f0002', half)])
    await complete(1_001, 3)
    const { diff } = await alice.call('getRunDiff', { id: lease.id })
    expect(diff).toEqual({
      baseSha,
      headSha,
      stat: paths.slice(0, 1_000).map(fileOf),
      patch: patchOf('f0000', half) + patchOf('f0001'),
      truncated: true,
      dirty: false,
    })
  })

  test('is joined with what agents said of files, and counted for whoever reviews', async ({
    world,
  }) => {
    const { alice, mission, runner, lease } = await running(world)
    const { files, patches, complete } = reportOf(runner, lease, 'one')
    await files(0, 'a.ts', 'b.ts')
    await patches([0, patchOf('a.ts')])
    const unfinished = await alice.call('listFileChanges', { id: mission.id })
    expect(unfinished.fileChanges).toEqual([])
    await complete(2, 1)
    const { fileChanges } = await alice.call('listFileChanges', { id: mission.id })
    expect(fileChanges).toMatchObject(['a.ts', 'b.ts'].map(fileOf))
  })
})

describe('what a run changed, in groups by reason', () => {
  test('has the largest group first, and what no reason was given for last', async ({ world }) => {
    const { alice, runner, lease, agent, list } = await running(world)
    const because = (filePath: string, label: string) => ({
      filePath,
      label,
      summary: 'Shorter.',
      why: `Why ${filePath}.`,
      impact: 'None.',
    })
    await agent.deliver({
      changeRationales: [
        because('b.ts', 'small'),
        because('d.ts', 'large'),
        because('e.ts', 'large'),
        because('docs:of-another.md', 'large'),
      ],
    })
    const { files, complete } = reportOf(runner, lease, 'one')
    await files(0, 'a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts')
    await complete(5, 0)
    const group = (label: string | null, count: number) => ({
      label,
      files: count,
      additions: count,
      deletions: 0,
    })
    const first = await list({ order: 'reason', limit: 2 })
    expect(first.groups).toEqual([group('large', 2), group('small', 1), group(null, 2)])
    const pages = [first]
    for (let cursor = first.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await list({ order: 'reason', limit: 2, cursor }))
    }
    expect(pages.slice(1).map(({ groups }) => groups)).toEqual([undefined, undefined])
    const all = pages.flatMap((page) => page.files)
    expect(all.map(({ filePath, label }) => [filePath, label])).toEqual([
      ['d.ts', 'large'],
      ['e.ts', 'large'],
      ['b.ts', 'small'],
      ['a.ts', null],
      ['c.ts', null],
    ])
    expect((await list()).groups).toBeUndefined()
    const one = await alice.call('getRunFile', { id: lease.id, position: 3 })
    expect(one).toMatchObject({ file: { filePath: 'd.ts' }, rationale: { why: 'Why d.ts.' } })
  })

  test('leaves what is in no report to the list of what agents said', async ({ world }) => {
    const { alice, mission, runner, lease, agent } = await running(world)
    const [objective] = mission.objectives
    const said = { label: 'l', summary: '', why: '', impact: '' }
    await agent.deliver({
      changeRationales: ['a.ts', 'docs:b.md'].map((filePath) => ({ filePath, ...said })),
    })
    const { files, complete } = reportOf(runner, lease, 'one')
    await files(0, 'a.ts', 'c.ts')
    await complete(2, 0)
    const paths = async (query: Partial<RouteRequest<'listFileChanges'>>) => {
      const { fileChanges } = await alice.call('listFileChanges', { id: mission.id, ...query })
      return fileChanges.map(({ filePath }) => filePath)
    }
    expect(await paths({})).toEqual(['a.ts', 'c.ts', 'docs:b.md'])
    expect(await paths({ besides: 'report' })).toEqual(['docs:b.md'])
    expect(await paths({ objectiveId: objective.displayId, limit: 1 })).toEqual(['a.ts'])
    const { mission: other } = await world.missionWith(['elsewhere'])
    await expect(paths({ objectiveId: other.objectives[0].id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the diff of a run that was reported in one', () => {
  test('is the last one that its runner sent', async ({ world }) => {
    const { alice, runner, lease } = await running(world)
    await runner.diff(lease, { patch: 'first', dirty: true })
    const stat = [{ filePath: 'docs/a.md', additions: 3, deletions: null }]
    await runner.diff(lease, { stat })

    const { diff } = await alice.call('getRunDiff', { id: lease.id })

    expect(diff).toEqual({ baseSha, headSha, stat, truncated: false, dirty: false })
  })

  test('has the patch of each of its files', async ({ world }) => {
    const { alice, runner, lease, list } = await running(world)
    const stat = [fileOf('a.ts'), fileOf('b "c".ts'), fileOf('cut.ts')]
    const quoted = 'diff --git "a/b \\"c\\".ts" "b/b \\"c\\".ts"\n+b\n'
    await runner.diff(lease, { stat, patch: patchOf('a.ts') + quoted, truncated: true })
    const { files, changes } = await list({ patches: 'true' })
    expect(changes).toMatchObject({ files: 3, additions: 3, truncated: true })
    expect(files.map(({ patch }) => patch)).toEqual([patchOf('a.ts'), quoted, undefined])
    const { file } = await alice.call('getRunFile', { id: lease.id, position: 1 })
    expect(file).toMatchObject({ filePath: 'b "c".ts', patch: quoted, patchBytes: quoted.length })
  })

  test('is not there before it was sent', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0])
    const { id } = executionRequest
    for (const call of ['getRunDiff', 'listRunFiles'] as const) {
      await expect(alice.call(call, { id })).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
