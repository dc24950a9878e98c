import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canMakeDisk, makeDisk } from './testing/disk.ts'
import { query, useDatabaseFolder } from './testing/server.ts'

const { path, start } = useDatabaseFolder()

describe.skipIf(!canMakeDisk)('a full disk', () => {
  test('is named by a start, although PostgreSQL has no room to say so; with room it starts', async () => {
    const disk = makeDisk(path('disk'), 250)
    onTestFinished(() => disk[Symbol.dispose]())
    const at = join(path('disk'), 'database')
    const first = await start({ at })
    await query(first, 'create table kept as select generate_series(1, 10) as n')
    await first.stop()
    disk.fill()
    await expect(start({ at })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/^The disk that holds .+ is full: free some space .+\.$/),
    })
    disk.empty()
    expect(await query(await start({ at }), 'select count(*)::int from kept')).toEqual([[10]])
  })
})
