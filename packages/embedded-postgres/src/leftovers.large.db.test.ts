import { spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { query, useDatabaseFolder } from './testing/server.ts'

const { start } = useDatabaseFolder()

describe('a stale postmaster.pid', () => {
  test('that names a living process of another kind does not prevent the start', async () => {
    const first = await start()
    const pidFile = join(first.location, 'cluster', 'data', 'postmaster.pid')
    await first.stop()
    const owner = statSync(dirname(pidFile))
    const other = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid, cwd: '/' })
    try {
      writeFileSync(pidFile, `${other.pid}\n${dirname(pidFile)}\n0\n5432\n\n\n0 0\nready\n`)
      expect(await query(await start(), 'select 1')).toEqual([[1]])
      expect(other.exitCode).toBeNull()
    } finally {
      other.kill('SIGKILL')
    }
  })
})
