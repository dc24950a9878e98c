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

    const { bytes, headers } = await alice.call('getRunLog', { id: lease.id })

    expect(Buffer.from(bytes).toString()).toBe('start \n… 1000 bytes of output are not kept …\nend')
    expect(headers['x-svc-next-offset']).toBe('1009')
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
