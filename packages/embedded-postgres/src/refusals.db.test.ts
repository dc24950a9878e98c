import {
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EmbeddedPostgresError } from './errors.ts'
import { query, useDatabaseFolder } from './testing/server.ts'

const isRoot = process.getuid?.() === 0
const { path, start } = useDatabaseFolder()

/** The one sentence that a start is refused with. */
async function refusal(starting: Promise<unknown>): Promise<string> {
  const message = await starting.then(
    () => 'it started',
    (error: unknown) => (error instanceof EmbeddedPostgresError ? error.message : String(error)),
  )
  expect(message).not.toContain('\n')
  return message
}

describe('refusals', () => {
  test(
    'a second start on the folder names the process that has it',
    { tags: 'large' },
    async () => {
      await start()
      await expect(start()).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringContaining('in use by this process'),
      })
    },
  )

  test('a data directory that is none is named, and left alone', async () => {
    const at = path('foreign')
    const data = join(at, 'cluster', 'data')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'notes.txt'), 'mine')
    await expect(start({ at })).rejects.toMatchObject({
      code: 'data_broken',
      message: expect.stringContaining(data),
    })
    expect(readFileSync(join(data, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test.each([
    ['a damaged data directory', 'global/pg_control', Buffer.alloc(8192), 'data_broken'],
    ['data of another major version', 'PG_VERSION', Buffer.from('15\n'), 'other_version'],
  ])('%s is named with the way out', { tags: 'large' }, async (_, file, content, code) => {
    const first = await start()
    await first.stop()
    const path = join(first.location, 'cluster', 'data', file)
    const original = readFileSync(path)
    writeFileSync(path, content)
    await expect(start()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/move (it|the folder) away/),
    })
    writeFileSync(path, original)
    expect(await query(await start(), 'select 1')).toEqual([[1]])
  })

  test.each([
    ['its write-ahead log', 'pg_wal', 'required WAL directory "pg_wal" does not exist'],
    ['its tables', 'base', 'The database subdirectory "base/5" is missing'],
  ])(
    'a database that lost %s is named with the way out',
    { tags: 'large' },
    async (_, name, reason) => {
      const first = await start()
      await first.stop()
      const lost = join(first.location, 'cluster', 'data', name)
      renameSync(lost, path('lost'))
      const message = await refusal(start())
      rmSync(lost, { recursive: true, force: true })
      renameSync(path('lost'), lost)
      expect(message).toContain(reason)
      expect(message).toMatch(/is damaged \(.+\): restore it from a backup, or move it away .+\.$/)
      expect(await query(await start(), 'select 1')).toEqual([[1]])
    },
  )

  test.each([
    ['postgresql.conf', 'max_connections = = many', 'syntax error'],
    ['postgresql.conf', 'work_mem = banana', 'invalid value for parameter "work_mem": "banana"'],
    ['postgresql.conf', undefined, 'No such file'],
    ['pg_hba.conf', 'nonsense', 'invalid connection type "nonsense"'],
  ])(
    'a %s that says %s is named with what to correct',
    { tags: 'large' },
    async (name, line, mistake) => {
      const first = await start()
      await first.stop()
      const file = join(first.location, 'cluster', 'data', name)
      const { uid, gid } = statSync(file)
      const original = readFileSync(file)
      if (line === undefined) rmSync(file)
      else writeFileSync(file, `${line}\n`)
      const message = await refusal(start())
      writeFileSync(file, original)
      chownSync(file, uid, gid)
      expect(message).toContain(mistake)
      expect(message).toMatch(
        /^PostgreSQL cannot use \S+ \(.+\): correct it there and start again; .+\.$/,
      )
      expect(await query(await start(), 'select 1')).toEqual([[1]])
    },
  )

  test(
    'a setting that does not exist is told with the log, and the lock is free again',
    { tags: 'large' },
    async () => {
      await expect(start({ settings: { no_such_setting: 'x' } })).rejects.toMatchObject({
        code: 'start_failed',
        message: expect.stringContaining('no_such_setting'),
      })
      expect(await query(await start(), 'select 1')).toEqual([[1]])
    },
  )

  test.skipIf(isRoot)('a folder in a read-only one is named', async () => {
    mkdirSync(path('read-only'), { mode: 0o555 })
    const refused = start({ at: path('read-only', 'database') })
    await expect(refused).rejects.toMatchObject({ code: 'folder_not_writable' })
  })
})
