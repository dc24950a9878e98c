import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'

test('others may pass through a data folder that is made, whatever the umask is', () => {
  const parent = mkdtempSync(join(tmpdir(), 'data-folder-'))
  const umask = process.umask(0o077)
  onTestFinished(() => {
    process.umask(umask)
    rmSync(parent, { recursive: true })
  })
  const { path } = openDataFolder(join(parent, 'kept', 'data'))
  expect([dirname(path), path].map((folder) => statSync(folder).mode & 0o777)).toEqual([
    0o711, 0o711,
  ])
})

test(
  'several starts look at one moment whether a data folder can be written',
  { tags: 'large' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const module = import.meta.resolve('./data-folder.ts')
    const look = `
    const { openDataFolder } = await import(process.argv[1])
    for (let n = 0; n < 2000; n += 1) openDataFolder(process.argv[2])`
    const starts = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', look, module, folder]),
    )
    expect(await Promise.all(starts)).toHaveLength(4)
  },
)
