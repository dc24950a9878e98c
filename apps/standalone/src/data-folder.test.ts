import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
