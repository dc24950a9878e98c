import { randomBytes } from 'node:crypto'
import type { RouteRequest } from '@svc/contracts/rest'
import { sql } from 'kysely'
import { keepLogQuotas } from '../sweep/log-quota.ts'
import { runnerWith } from '../testing/runner.ts'
import { test } from '../testing/world.ts'
import { describe, expect } from 'vitest'

describe('the log of a run', () => {
  test('is read back as it was written, from any offset', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    expect(await runner.log(lease, 0, 'one ')).toBe(4)
    expect(await runner.log(lease, 4, 'two ')).toBe(8)

    const read = async (offset: number) => {
      const { bytes, headers } = await alice.call('getRunLog', { id: lease.id, offset })
      return [Buffer.from(bytes).toString(), headers['x-svc-next-offset'], headers['x-svc-ended']]
    }
    expect(await read(0)).toEqual(['one two ', '8', 'false'])
    expect(await read(2)).toEqual(['e two ', '8', 'false'])
    expect(await read(8)).toEqual(['', '8', 'false'])
    expect(await read(99)).toEqual(['', '99', 'false'])

    await runner.exited(lease)
    expect(await runner.log(lease, 8, 'three')).toBe(13)
    expect(await read(8)).toEqual(['three', '13', 'true'])
  })

  test('of a lost run keeps nobody waiting whose machine never reports', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { lease } = await world.attachedRun(mission.objectives[0])
    await world.advance(20 * 60)
    await world.settle()
    const { headers } = await alice.call('getRunLog', { id: lease.id, offset: 0 })
    expect(headers['x-svc-ended']).toBe('true')
  })

  test('takes a chunk that comes again once', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.log(lease, 0, 'one ')
    await runner.log(lease, 4, 'two ')

    const written = await world.rowsWrittenBy(async () => {
      expect(await runner.log(lease, 0, 'one ')).toBe(8)
      expect(await runner.log(lease, 4, 'two ')).toBe(8)
    })

    expect(written).toEqual({ rows: [], refusal: undefined })
  })

  test('refuses a chunk beyond its end, and says where that is', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.log(lease, 0, 'one ')

    const written = await world.rowsWrittenBy(() => runner.log(lease, 10, 'three'))

    expect(written).toMatchObject({
      rows: [],
      refusal: { code: 'offset_mismatch', details: { expected: 4 } },
    })
  })

  test('shows what its runner did not keep', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.log(lease, 0, 'start ')
    expect(await runner.log(lease, 1006, 'end', 1000)).toBe(1009)

    const read = async (request: Partial<RouteRequest<'getRunLog'>>) => {
      const { bytes, headers } = await alice.call('getRunLog', { id: lease.id, ...request })
      const [offset, skipped, next] = ['offset', 'skipped', 'next-offset'].map((name) =>
        Number(headers[`x-svc-${name}`]),
      )
      expect(headers['x-svc-length']).toBe('1009')
      return { text: Buffer.from(bytes).toString(), offset, skipped, next }
    }
    const gap = (count: number) => `\n… ${count} bytes of output are not kept …\n`
    const end = { offset: 1006, next: 1009 }
    // an answer ends where something is missing, so that what it holds is whole
    expect(await read({})).toEqual({ text: 'start ', offset: 0, skipped: 0, next: 6 })
    expect(await read({ offset: 6 })).toEqual({ ...end, skipped: 1000, text: `${gap(1000)}end` })
    expect(await read({ offset: 1000 })).toEqual({ ...end, skipped: 6, text: `${gap(6)}end` })
    expect(await read({ tail: 2 })).toEqual({ text: 'nd', offset: 1007, skipped: 0, next: 1009 })
    expect(await read({ tail: 5 })).toEqual({ ...end, skipped: 2, text: `${gap(2)}end` })
    expect(await read({ tail: 1009 })).toMatchObject({ text: 'start ' })
    expect(await read({ offset: 1, bytes: 2 })).toMatchObject({ text: 'ta', next: 3 })
  })

  test('says where it ends when no more of it is kept', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    await runner.log(lease, 0, 'start')
    expect(await runner.log(lease, 105, '', 100)).toBe(105)
    expect(await runner.log(lease, 105, '', 100)).toBe(105)
    const { bytes, headers } = await alice.call('getRunLog', { id: lease.id, offset: 5 })
    expect(Buffer.from(bytes).toString()).toBe('\n… 100 bytes of output are not kept …\n')
    expect(headers).toMatchObject({ 'x-svc-next-offset': '105', 'x-svc-length': '105' })
    const after = await alice.call('getRunLog', { id: lease.id, offset: 105 })
    expect(after.bytes).toHaveLength(0)
  })

  test('of any length is read from any byte, and its end by itself', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const line = (n: number) => `${String(n).padStart(15, '0')}\n`
    const text = Array.from({ length: 150_000 }, (_, n) => line(n)).join('')
    for (let at = 0; at < text.length; at += 1_000_000) {
      await runner.log(lease, at, text.slice(at, at + 1_000_000))
    }
    const read = async (request: Partial<RouteRequest<'getRunLog'>>) =>
      Buffer.from((await alice.call('getRunLog', { id: lease.id, ...request })).bytes).toString()
    for (const offset of [0, 1, 262_143, 262_144, 999_999, 1_000_000, text.length - 10]) {
      expect(await read({ offset, bytes: 300_000 })).toBe(text.slice(offset, offset + 300_000))
    }
    expect(await read({})).toHaveLength(1024 * 1024)
    expect(await read({ tail: 1024 * 1024 })).toBe(text.slice(-1024 * 1024))
    const { rows } = await sql<{ stored: number }>`
      select sum(octet_length(bytes))::int as stored from run_log_chunks`.execute(world.domain.db)
    expect(rows[0]?.stored).toBeLessThan(text.length / 4)
  })

  test('gives way to newer output where its workspace keeps too much', async ({ world }) => {
    // that of other tests
    await keepLogQuotas({ ...world.domain, logQuotaBytes: 0 })
    const { alice, mission } = await world.missionWith(['one', 'two'], {
      allowParallelObjectives: true,
    })
    const runs = [
      await world.attachedRun(mission.objectives[0]),
      await world.attachedRun(mission.objectives[1]),
    ] as const
    const kept = async () => {
      const { rows } = await sql<{ counted: number; stored: number }>`
        select (select sum(stored_bytes) from run_log_sums)::int as counted,
               (select sum(octet_length(bytes)) from run_log_chunks)::int as stored`.execute(
        world.domain.db,
      )
      return rows[0]
    }
    for (let turn = 0; turn < 4; turn += 1) {
      for (const { runner, lease } of runs) {
        await runner.log(lease, turn * 1_000, randomBytes(500).toString('hex'))
        await world.advance(1)
      }
    }
    const before = await kept()
    expect(before?.counted).toBe(before?.stored)
    const logQuotaBytes = Math.floor((before?.stored ?? 0) * 0.55)
    await keepLogQuotas({ ...world.domain, logQuotaBytes })
    const after = await kept()
    expect(after?.counted).toBe(after?.stored)
    expect(after?.stored).toBeLessThanOrEqual(logQuotaBytes)
    expect(after?.stored).toBeGreaterThan(0)
    for (const { lease } of runs) {
      const { bytes, headers } = await alice.call('getRunLog', { id: lease.id })
      expect(Buffer.from(bytes).toString()).toMatch(/^\n… 2000 bytes of output are not kept …\n/)
      expect(headers).toMatchObject({ 'x-svc-offset': '2000', 'x-svc-length': '4000' })
    }
    await keepLogQuotas({ ...world.domain, logQuotaBytes })
    expect(await kept()).toEqual(after)
    await keepLogQuotas({ ...world.domain, logQuotaBytes: 0 })
    const [{ lease, runner }] = runs
    const { headers } = await alice.call('getRunLog', { id: lease.id })
    expect(headers).toMatchObject({ 'x-svc-skipped': '4000', 'x-svc-next-offset': '4000' })
    expect(await runner.log(lease, 4_000, 'goes on')).toBe(4_007)
  })

  test('keeps as much of a run as the operator says', async ({ world }) => {
    const { mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.attachedRun(mission.objectives[0])
    const domain = { ...world.domain, logBytes: 1024 * 1024 }
    const small = runnerWith(domain, runner.token, { projectIds: 'all' })
    expect((await small.claim()).logBytes).toBe(1024 * 1024)
    const most = 'x'.repeat(1024 * 1024)
    expect(await small.log(lease, 0, most)).toBe(most.length)
    await expect(small.log(lease, most.length, 'more')).rejects.toMatchObject({
      code: 'too_large',
    })
    const less = runnerWith({ ...domain, logBytes: 10 }, runner.token, { projectIds: 'all' })
    expect(await less.log(lease, most.length + 4, '', 4)).toBe(most.length + 4)
  })

  test('starts anew with every generation, and shows the newest', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { runner, lease } = await world.startedRun(mission.objectives[0])
    await runner.log(lease, 0, 'first try')
    await runner.exited(lease, { cause: 'host_rebooted' })
    await expect(runner.log(lease, 9, 'late')).rejects.toMatchObject({ code: 'lease_lost' })
    const again = await runner.take()
    expect(await runner.log(again, 0, 'second')).toBe(6)

    const { bytes } = await alice.call('getRunLog', { id: lease.id })

    expect(Buffer.from(bytes).toString()).toBe('second')
  })

  test('is empty before anything was written', async ({ world }) => {
    const { alice, mission } = await world.missionWith(['write the docs'])
    const { executionRequest } = await alice.launch(mission.objectives[0])
    const { bytes, headers } = await alice.call('getRunLog', { id: executionRequest.id })
    expect([bytes.length, headers['x-svc-next-offset']]).toEqual([0, '0'])
  })
})
