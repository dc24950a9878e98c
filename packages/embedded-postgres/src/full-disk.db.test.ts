import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canMakeDisk, makeDisk } from './testing/disk.ts'
import { useDatabaseFolder } from './testing/server.ts'

const { path, start } = useDatabaseFolder()

describe.skipIf(!canMakeDisk)('a full disk', () => {
  test('is named where no database can be made', async () => {
    const disk = makeDisk(path('other-disk'), 1)
    onTestFinished(() => disk[Symbol.dispose]())
    disk.fill()
    const refused = start({ at: join(path('other-disk'), 'database') })
    await expect(refused).rejects.toMatchObject({ code: 'disk_full' })
  })
})
